/** The last four characters, of what is long enough to hide the rest. */
export const masked = (secret: string): string => `••••${secret.length > 8 ? secret.slice(-4) : ''}`;

/** Whose protection counts. `every_line`: the strictest of all that could apply. */
export const CALL_SCOPES = ['every_line', 'business_landlines'] as const;
export type CallScope = (typeof CALL_SCOPES)[number];

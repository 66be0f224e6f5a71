/** PostgreSQL's classes for values: data that it cannot read, that breaks a constraint, or that is too large. */
const CODES = /^(22|23|54)/;

/** Whether a query failed because of the values in it, so that others may work. */
export const isValueRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && CODES.test(error.code);

/**
 * PostgreSQL's classes for a server that is going, coming or out of reach, or that ended a session silent in a transaction.
 * Also Node's codes for a connection that is not there.
 */
const CODES = /^(08|57P0|53300|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)/;
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether a query failed because the database could not be reached, so that it can work when repeated. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return CODES.test(code) || MESSAGES.test(error.message);
}

import { DatabaseError } from 'pg';
import type { Caller } from '#backend/data/caller.ts';
import { STATEMENT_TIMEOUT_MS } from '#backend/data/transaction.ts';
import { CallerGone } from '#db/cancel/while-asked.ts';
import { TooManyAtOnce } from '#db/turns/turns.ts';
import { callerGone, DataError, tooManyAtOnce } from './data-error.ts';

const TIMEOUT_HINT = `A read may take ${STATEMENT_TIMEOUT_MS.reads / 1_000} seconds, a write ${STATEMENT_TIMEOUT_MS.writes / 1_000}. Ask for fewer rows, or filter by an indexed column such as list_id.`;

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  '21000': 400,
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '54001': 400,
  P0001: 400,
};

const STATUS_BY_CLASS: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/**
 * What PostgREST answers for an error of PostgreSQL (its table of SQLSTATE → HTTP status).
 * A refused privilege is 401 for anon, who may sign in, and 403 for someone signed in.
 * Failures that are not the caller's keep their code and lose their words.
 */
export function toDataError(error: unknown, caller: Caller['role']): DataError {
  if (error instanceof DataError) return error;
  if (error instanceof TooManyAtOnce) return tooManyAtOnce(error);
  if (error instanceof CallerGone) return callerGone();
  if (!(error instanceof DatabaseError) || error.code === undefined) {
    return isUnreachable(error)
      ? new DataError(503, 'PGRST001', 'The database cannot be reached. Please try again in a moment.')
      : new DataError(500, 'PGRSTX00', 'Something went wrong on our side. Please try again.');
  }
  const status = statusOf(error.code, caller);
  if (error.code === '57014') {
    return new DataError(500, error.code, 'canceling statement due to statement timeout', { hint: TIMEOUT_HINT });
  }
  if (error.code.startsWith('57P') || status === 503) {
    return new DataError(503, error.code, 'The database is not available. Please try again in a moment.');
  }
  if (status >= 500) return new DataError(status, error.code, 'The database could not answer.');
  return new DataError(status, error.code, error.message, {
    ...(error.detail === undefined ? {} : { details: error.detail }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}

function statusOf(code: string, caller: Caller['role']): number {
  if (code === '42501') return caller === 'anon' ? 401 : 403;
  return STATUS_BY_CODE[code] ?? STATUS_BY_CLASS[code.slice(0, 2)] ?? 400;
}

/** Node's codes for a connection that is not there, and the words of pg, which gives none. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/u.test(code) ||
    /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/u.test(
      error.message,
    )
  );
}

import { type Logger, pino } from 'pino';

/** JSON lines on stdout: from `info` on in production, only warnings and errors while developing. */
export function createLog(production: boolean): Logger {
  return pino({ level: production ? 'info' : 'warn', serializers: { err: errorForLog } });
}

/**
 * What of an error may be logged. Not its other properties: database errors carry the rows they are about, and
 * errors of a connection pool the whole connection.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...Object.fromEntries(Object.entries({ code, table, constraint }).filter(([, value]) => typeof value === 'string')),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}

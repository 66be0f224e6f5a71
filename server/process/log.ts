import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { ProviderError } from '#providers/provider.ts';
import { redact } from '#providers/redact.ts';
import { requestScope } from '#server/http/request-scope.ts';

/** JSON lines on stdout unless told otherwise, from `level` on; those of a request carry its id. */
export function createLog(options: { level: Level; destination?: DestinationStream }): Logger {
  return pino(
    // A copy each time: pino writes the line's own fields into it.
    { level: options.level, serializers: { err: errorForLog }, mixin: () => ({ ...requestScope.getStore() }) },
    options.destination ?? pino.destination(1),
  );
}

/** Also as it stands in a URL. */
const ADDRESS = /[^\s@<>"'(),:;]+(?:@|%40)[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;]+/gi;
const withoutSecrets = (text: string) => redact(text).replace(ADDRESS, '[address]');

/**
 * Returns what of an error may be logged: no address, nothing shaped like a key.
 * Not its other properties: database errors carry rows, and errors of a connection pool the whole connection.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
  // An answer of someone else's server: where we read it explains nothing.
  if (error instanceof ProviderError) {
    const { name: type, provider, kind, detail } = error;
    // Both may quote what they were asked about.
    const message = withoutSecrets(error.message);
    return { type, provider, kind, message, ...(detail === undefined ? {} : { detail: withoutSecrets(detail) }) };
  }
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return {
    type: error.constructor.name,
    message: withoutSecrets(error.message),
    ...Object.fromEntries(Object.entries({ code, table, constraint }).filter(([, value]) => typeof value === 'string')),
    ...(error.stack === undefined ? {} : { stack: withoutSecrets(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}

/**
 * - `http`: the server refused; `code` and `serverMessage` say why
 * - `network`: no answer came
 * - `non_json`: an answer that is not marked as JSON (a proxy's page); `bodyStart` holds its first 200 characters
 * - `invalid_json`: marked as JSON, but broken or of another shape than agreed
 * - `unauthenticated`: not sent, because no one is signed in
 */
export type ApiErrorKind = 'http' | 'network' | 'non_json' | 'invalid_json' | 'unauthenticated';

type Details = {
  kind: ApiErrorKind;
  /** HTTP status; 0 when there was no answer. */
  status?: number | undefined;
  code?: string | undefined;
  serverMessage?: string | undefined;
  requestId?: string | undefined;
  bodyStart?: string | undefined;
  run?: string | undefined;
};

/** A product call that failed. `message` can be shown as it is; features choose the spec's words from `kind` and `status`. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly status: number;
  readonly code: string;
  /** The server's own words, if it had any. */
  readonly serverMessage: string | undefined;
  readonly requestId: string | undefined;
  readonly bodyStart: string;
  /** The run that it is about, where the answer names one. */
  readonly run: string | undefined;

  constructor(message: string, details: Details) {
    super(message);
    this.name = 'ApiError';
    this.kind = details.kind;
    this.status = details.status ?? 0;
    this.code = details.code ?? '';
    this.serverMessage = details.serverMessage;
    this.requestId = details.requestId;
    this.bodyStart = details.bodyStart ?? '';
    this.run = details.run;
  }
}

export const NETWORK_MESSAGE = 'Network error. Please check your internet connection.';

/** The error of a direct data call. Its client reports a request that got no answer as the fetch's own error, by name. */
export function dataError({ message }: { message: string }): Error {
  return /^\w*Error: /.test(message) ? new ApiError(NETWORK_MESSAGE, { kind: 'network' }) : new Error(message);
}

/** Whether the server refused because of who asks. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.code === 'FORBIDDEN';

/** The message of whatever was thrown, or spec section 8's 'Unknown error'. */
export function errorMessage(error: unknown): string {
  return error instanceof Error && error.message ? error.message : 'Unknown error';
}

import { AuthError } from '#backend/auth/kit/auth-error.ts';

/** Bytes of an answer, as in GoTrue. */
const ANSWER_LIMIT = 200 * 1024;

/** What a hook says: an object of JSON. */
export type HookAnswer = { readonly [name: string]: unknown };

/**
 * What a hook has answered; nothing for 204. Only 200, 202 and 204 say anything, and only as JSON.
 * @throws AuthError
 */
export async function readAnswer(response: Response): Promise<HookAnswer> {
  const type = response.headers.get('Content-Type');
  if (!type && response.status === 204) return {};
  const refusal = withoutReading(response.status, type);
  if (refusal) {
    await response.body?.cancel();
    throw refusal;
  }
  const answer = parse(await textOf(response));
  if (!isObject(answer)) throw new AuthError(500, UNEXPECTED, 'Error unmarshaling JSON output.');
  return answer;
}

const UNEXPECTED = 'unexpected_failure';

/** Why an answer says nothing, whatever its body is; undefined for one that has to be read. */
function withoutReading(status: number, type: string | null): AuthError | undefined {
  if (status !== 200 && status !== 202 && status !== 204) return new AuthError(500, UNEXPECTED, whyNot(status));
  if (type?.split(';')[0]?.trim().toLowerCase() === 'application/json') return undefined;
  const why = type
    ? `Invalid JSON response. Received content-type: ${type}`
    : 'Invalid Content-Type: Missing Content-Type header';
  return new AuthError(400, 'hook_payload_invalid_content_type', why);
}

const isObject = (value: unknown): value is HookAnswer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    const why = `Payload size exceeded size limit of ${ANSWER_LIMIT} bytes`;
    if (bytes > ANSWER_LIMIT) throw new AuthError(422, 'hook_payload_over_size_limit', why);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function whyNot(status: number): string {
  if (status === 429 || status === 503) return 'Service currently unavailable due to hook';
  if (status === 400) return 'Invalid payload sent to hook';
  if (status === 401) return 'Hook requires authorization token';
  return `Unexpected status code returned from hook: ${status}`;
}

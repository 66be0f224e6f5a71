import { AuthError } from '#backend/auth/auth-error.ts';

/** Bytes of an answer, as in GoTrue. */
const ANSWER_LIMIT = 200 * 1024;

/** What a hook says: an object of JSON. */
export type HookAnswer = { readonly [name: string]: unknown };

/** What a hook has answered; nothing for 204. Only 200, 202 and 204 say anything, and only as JSON. Throws AuthError. */
export async function readAnswer(response: Response): Promise<HookAnswer> {
  const { status } = response;
  if (status !== 200 && status !== 202 && status !== 204) throw await left(response, 500, UNEXPECTED, whyNot(status));
  const type = response.headers.get('Content-Type');
  if (!type && status === 204) return {};
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    const why = type
      ? `Invalid JSON response. Received content-type: ${type}`
      : 'Invalid Content-Type: Missing Content-Type header';
    throw await left(response, 400, 'hook_payload_invalid_content_type', why);
  }
  const answer = parse(await textOf(response));
  if (!isObject(answer)) throw new AuthError(500, UNEXPECTED, 'Error unmarshaling JSON output.');
  return answer;
}

const UNEXPECTED = 'unexpected_failure';

export const isObject = (value: unknown): value is HookAnswer =>
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

/** The error to throw, once the rest of the answer has been let go. */
async function left(response: Response, ...error: ConstructorParameters<typeof AuthError>): Promise<AuthError> {
  await response.body?.cancel();
  return new AuthError(...error);
}

import { addressOf } from '#contract/address.ts';
import type { BodyOf, DataOf, Endpoint, QueryOf } from '#contract/endpoint.ts';
import { RUN_HEADER } from '#contract/work/runs.ts';
import { askForProof, NOT_CONFIRMED } from '#web/lib/session/fresh-proof.ts';
import { setSecondStepDemanded } from '#web/lib/session/second-step.ts';
import { usableSession } from '#web/lib/session/stored-session.ts';
import { ApiError, NETWORK_MESSAGE } from './api-error.ts';
import { loadConfig } from './config.tsx';
import { takeEarlyAnswer } from './early-answers.ts';
import { getSupabase } from './supabase.ts';
import { noteWait } from './waits.ts';

/** How much of an unreadable answer is shown (spec section 8). */
const BODY_START_LENGTH = 200;

const UNREADABLE_MESSAGE = 'Server returned an invalid response. Please try again.';

type Nothing = Record<never, never>;
type BodyPart<E extends Endpoint> = BodyOf<E> extends undefined ? Nothing : { body: BodyOf<E> };
type QueryPart<E extends Endpoint> =
  QueryOf<E> extends undefined ? Nothing : Nothing extends QueryOf<E> ? { query?: QueryOf<E> } : { query: QueryOf<E> };
/** `file`: sent as the body with its own type, where the endpoint takes a file. */
export type CallInput<E extends Endpoint> = BodyPart<E> & QueryPart<E> & { signal?: AbortSignal; file?: Blob };
type CallArguments<E extends Endpoint> = Nothing extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

/**
 * The session's access token, renewed if it has run out.
 * @throws ApiError `unauthenticated` or `network`.
 */
async function accessToken(): Promise<string> {
  const usable = usableSession(await loadConfig());
  if (usable) return usable.access_token;
  const supabase = await getSupabase();
  const { data, error } = await supabase.auth.getSession();
  if (data.session) return data.session.access_token;
  if (error?.name === 'AuthRetryableFetchError') throw new ApiError(NETWORK_MESSAGE, { kind: 'network' });
  throw new ApiError('Not authenticated', { kind: 'unauthenticated', code: 'UNAUTHENTICATED' });
}

/** How the backend answers when a session has ended: unlike limits, outages and other tabs, none of these pass. */
const SESSION_ENDED: readonly (number | undefined)[] = [400, 401, 403];

let settling: Promise<void> | undefined;

/**
 * The server refused the session. It is renewed, in case only its token was at fault; if that is refused too, the session
 * has ended and is forgotten, so that the pages show that no one is signed in. Calls that are refused together share one try.
 */
export function settleSession(): Promise<void> {
  settling ??= renewOrForget().finally(() => {
    settling = undefined;
  });
  return settling;
}

async function renewOrForget(): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await auth.refreshSession();
  if (error?.name === 'AuthApiError' && SESSION_ENDED.includes(error.status)) await auth.signOut({ scope: 'local' });
}

async function send(
  url: string,
  init: RequestInit,
  early: Response | undefined,
): Promise<{ response: Response; text: string }> {
  try {
    const response = early ?? (await fetch(url, init));
    return { response, text: await response.text() };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(NETWORK_MESSAGE, { kind: 'network' });
  }
}

function parseJson(response: Response, text: string): Record<string, unknown> {
  const { status } = response;
  if (!response.headers.get('content-type')?.includes('json')) {
    const bodyStart = text.slice(0, BODY_START_LENGTH);
    throw new ApiError(`Server returned non-JSON response: ${bodyStart}`, { kind: 'non_json', status, bodyStart });
  }
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Falls through to the same answer as JSON that is no object.
  }
  throw new ApiError(UNREADABLE_MESSAGE, { kind: 'invalid_json', status });
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

const runOf = ({ headers }: Response): string | undefined => headers.get(RUN_HEADER) ?? undefined;

function refusal(response: Response, answer: Record<string, unknown>): ApiError {
  const { status } = response;
  noteWait(response);
  const serverMessage = textOrNothing(answer.message);
  if (answer.error === 'SECOND_STEP_REQUIRED') setSecondStepDemanded(true);
  return new ApiError(serverMessage ?? `HTTP ${status}`, {
    kind: 'http',
    status,
    code: textOrNothing(answer.error),
    serverMessage,
    requestId: textOrNothing(answer.requestId),
    run: runOf(response),
  });
}

/**
 * Asks the product API for a file, with a body by POST. Returns its response unread.
 * @throws ApiError, or an abort's own error.
 */
export async function fetchFile(
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const authorization = `Bearer ${await accessToken()}`;
  const asked =
    body === undefined
      ? { headers: { authorization } }
      : { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { ...asked, ...(signal ? { signal } : {}) }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(NETWORK_MESSAGE, { kind: 'network' });
  });
  if (response.ok) return response;
  if (response.status === 401) void settleSession();
  throw refusal(response, parseJson(response, await response.text()));
}

/**
 * Calls the product API and returns what stands under `data`, checked. Where the server wants to know who is there, the person is asked
 * and the call is sent again.
 * @throws ApiError, or an abort's own error.
 */
export async function callApi<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<DataOf<E>> {
  try {
    return (await callPaidApi(endpoint, ...input)).data;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'FRESH_PROOF_REQUIRED')) throw error;
    if (await askForProof()) return (await callPaidApi(endpoint, ...input)).data;
    throw new ApiError(NOT_CONFIRMED, { ...error, serverMessage: NOT_CONFIRMED });
  }
}

type Sent = { body?: unknown; query?: unknown; signal?: AbortSignal; file?: Blob };

/** One such call, with the id of the run that the answer is about; undefined where the server names none. No one is asked anything. */
export async function callPaidApi<E extends Endpoint>(
  endpoint: E,
  ...[input]: CallArguments<E>
): Promise<{ data: DataOf<E>; run: string | undefined }> {
  const { body, query, signal, file } = (input ?? {}) as Sent;
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = endpoint.access === 'public' ? undefined : await accessToken();
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (file) headers['content-type'] = file.type || 'application/octet-stream';
  const address = addressOf(endpoint.path, query);
  const json = body === undefined ? undefined : JSON.stringify(body);
  const init = {
    method: endpoint.method,
    headers,
    ...(json === undefined ? {} : { body: json }),
    ...(file ? { body: file } : {}),
    ...(signal === undefined ? {} : { signal }),
  };
  const { response, text } = await send(address, init, token ? await takeEarlyAnswer(address, token, json) : undefined);
  if (response.status === 401 && endpoint.access !== 'public') {
    void settleSession();
    // It had begun before its server was restarted, with a token that has run out since: what it began goes on.
    if (response.redirected) throw new ApiError(NETWORK_MESSAGE, { kind: 'network' });
  }
  const answer = parseJson(response, text);
  if (!response.ok || answer.success === false) throw refusal(response, answer);
  // Spec section 7: some answers may stand beside `data` instead of inside it.
  const data = endpoint.data.safeParse(answer.data === undefined ? answer : answer.data);
  if (data.success) return { data: data.data as DataOf<E>, run: runOf(response) };
  throw new ApiError(UNREADABLE_MESSAGE, { kind: 'invalid_json', status: response.status });
}

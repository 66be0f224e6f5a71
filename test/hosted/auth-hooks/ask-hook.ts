import { setTimeout as pause } from 'node:timers/promises';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { Hook } from './hook-options.ts';
import { type HookAnswer, readAnswer } from './read-answer.ts';
import { refusedByHook } from './refused-by-hook.ts';
import { signDelivery } from './sign-delivery.ts';

/** Connections that fail, and answers that ask for another try. */
const TRIES = 3;

/**
 * Asks a hook as GoTrue does, and returns what it said.
 * @throws AuthError: the hook's own refusal; 422 `hook_timeout`, `hook_timeout_after_retry`, `hook_payload_over_size_limit`; 400
 * `hook_payload_invalid_content_type`; 500 `unexpected_failure`.
 */
export async function askHook({ log }: Pick<AuthContext, 'log'>, hook: Hook, event: object): Promise<HookAnswer> {
  try {
    const answer = await deliver(hook, JSON.stringify(event));
    const refusal = refusedByHook(answer);
    if (refusal) throw refusal;
    return answer;
  } catch (error) {
    // Without its words: they may repeat an address, and logs hold none.
    const { status, code } = error instanceof AuthError ? error : { status: 500, code: 'unexpected_failure' };
    log.error({ hook: hook.name, status, code }, 'An auth hook refused, or its response was not valid');
    throw error;
  }
}

async function deliver(hook: Hook, body: string): Promise<HookAnswer> {
  const signal = AbortSignal.timeout(hook.timeoutMs);
  try {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const response = await send(hook, body, signal);
      if (response && !asksForAnother(response)) return await readAnswer(response);
      await response?.body?.cancel();
      if (response) continue;
      if (attempt === TRIES)
        throw new AuthError(422, 'hook_timeout_after_retry', 'Failed to reach hook after maximum retries');
      await pause(hook.backoffMs, undefined, { signal });
    }
  } catch (error) {
    if (error instanceof AuthError || !signal.aborted) throw error;
    const seconds = (hook.timeoutMs / 1000).toFixed(6);
    throw new AuthError(422, 'hook_timeout', `Failed to reach hook within maximum time of ${seconds} seconds`);
  }
  throw new AuthError(500, 'unexpected_failure', 'Service currently unavailable due to hook');
}

/**
 * Undefined for a connection that failed. Each try is a delivery of its own.
 * @throws when the time is up.
 */
async function send({ uri, keys }: Hook, body: string, signal: AbortSignal): Promise<Response | undefined> {
  const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'identity', ...signDelivery(body, keys) };
  try {
    return await fetch(uri, { method: 'POST', headers, body, redirect: 'manual', signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** Whatever Retry-After says, the hook is asked again at once. */
const asksForAnother = ({ status, headers }: Response) =>
  (status === 429 || status === 503) && Boolean(headers.get('Retry-After'));

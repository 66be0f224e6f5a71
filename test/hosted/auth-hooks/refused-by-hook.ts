import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod/mini';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { HookAnswer } from './read-answer.ts';

const Refusal = z.object({ http_code: z._default(z.number(), 0), message: z._default(z.string(), '') });

/**
 * A hook's own refusal, in its words; undefined where it does not refuse. As in GoTrue it has no code; without a message it is none, and
 * its status is 500 unless it names one of an error.
 */
export function refusedByHook({ error }: HookAnswer): AuthError | undefined {
  if (error === undefined || error === null) return undefined;
  const refusal = Refusal.safeParse(error);
  if (!refusal.success) return new AuthError(500, 'unexpected_failure', 'Error unmarshaling JSON output.');
  const { http_code: code, message } = refusal.data;
  if (!message) return undefined;
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? (code as ContentfulStatusCode) : 500;
  return new AuthError(status, status === 500 ? 'unexpected_failure' : '', message);
}

import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';

const KEY = 'fairlead-session-end';

const WORDS = {
  unused: 'You were signed out because no one used this session for a while. Sign in again to continue.',
  old: 'You were signed out because this session had reached its age limit. Sign in again to continue.',
} as const;

/** How the backend says that a session has ended by itself; the same words as GoTrue's. */
const isUnused = (message: unknown) => typeof message === 'string' && message.includes('(Inactivity)');

/** Keeps why the session has ended, where an answer of the backend to a refresh says so. Answers pass through unchanged. */
export const watchSessionEnd: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const url = input instanceof Request ? input.url : String(input);
  if (/\/token\?|\/verify$/.test(url)) {
    if (response.ok) removeStored(KEY);
    else if (response.status === 400) await keepReason(response.clone());
  }
  return response;
};

async function keepReason(response: Response): Promise<void> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if ((body.code ?? body.error_code) !== 'session_expired') return;
  writeStored(KEY, isUnused(body.message ?? body.msg) ? 'unused' : 'old');
}

/** Why the last session of this browser has ended by itself, in words; undefined where it did not. */
export function sessionEndText(): string | undefined {
  const reason = readStored(KEY);
  return reason === 'unused' || reason === 'old' ? WORDS[reason] : undefined;
}

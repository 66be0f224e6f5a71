import { plural } from '#web/lib/format/format.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { waitingCalls } from './outbox.ts';
import { sendWaiting } from './send-waiting.ts';
import { namesOf, signInToSend } from './unsent-words.ts';

/** Sends what waits, and says what is left under the id `news`; undefined says nothing. Nothing more is said once `left`. */
export async function sendAndSay(
  userId: string,
  { news, isSignedIn, left }: { news: string | undefined; isSignedIn: boolean; left: AbortSignal },
): Promise<void> {
  const say = () => {
    if (news !== undefined && !left.aborted) sayUnsent(userId, news, isSignedIn);
  };
  say();
  if (!isSignedIn || left.aborted) return;
  await sendWaiting(userId);
  say();
}

function sayUnsent(userId: string, news: string, isSignedIn: boolean): void {
  const calls = waitingCalls(userId);
  const count = calls.length;
  const text = isSignedIn ? namesOf(calls) : `${namesOf(calls)}. ${signInToSend(count)}`;
  if (count > 0) toast.pending(`${plural(count, 'call outcome')} not sent yet`, text, news);
  else toast.dismiss(news);
}

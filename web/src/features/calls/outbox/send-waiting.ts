import { toast } from '#web/ui/feedback/toast.ts';
import { postWaiting } from './outbox.ts';
import { refusalWords } from './unsent-words.ts';

let sending: Promise<void> | undefined;

/** Sends what waits, and tells each call that was refused for good until that is dismissed. Those who ask meanwhile share it. */
export function sendWaiting(userId: string): Promise<void> {
  sending ??= sendAndTell(userId).finally(() => {
    sending = undefined;
  });
  return sending;
}

async function sendAndTell(userId: string): Promise<void> {
  for (const refused of await postWaiting(userId)) {
    const { title, text } = refusalWords(refused);
    toast.error(title, text, { label: 'Dismiss', onClick: () => {} }, { id: `call ${refused.call.id}`, stays: true });
  }
}

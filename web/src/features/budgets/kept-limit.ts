import { keepUnlessTaken } from '#web/lib/storage/drafts.ts';

/** The name of what is typed into “Spend at most” of a dialog. */
export const limitDraft = (dialog: string): string => `spend-at-most:${dialog}`;

/** A limit in micro-dollars as it is typed. */
export const limitText = (micros: number): string => (micros / 1_000_000).toFixed(2);

/** Keeps a limit for the dialog that sends the work again, should `taken` resolve to false: it met a session that had ended. */
export async function keepLimitUnlessTaken(
  userId: string,
  dialog: string,
  micros: number | undefined,
  taken: Promise<boolean>,
): Promise<void> {
  await keepUnlessTaken(userId, limitDraft(dialog), micros === undefined ? undefined : limitText(micros), taken);
}

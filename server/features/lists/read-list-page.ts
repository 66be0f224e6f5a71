import type { DataOf } from '#contract/endpoint.ts';
import { listPageReads, type PageRead, type readListPageEndpoint } from '#contract/work/list-page.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';

/** A read that takes longer than this, in ms, is left to the page: the others must not wait for it. */
const PATIENCE_MS = 500;

/** Sends one read of the page, as the person who opens the page. */
type Send = (read: PageRead, signal: AbortSignal) => Promise<Response>;

/**
 * Answers what the page of one of the caller's lists shows first, each read by its own route and under its own limits.
 * @throws NOT_FOUND
 */
export async function readListPage(
  { deps: { db }, user, signal }: Ctx,
  { listId }: { listId: string },
  send: Send,
): Promise<DataOf<typeof readListPageEndpoint>> {
  await ownList(db, user.userId, listId);
  const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const answered = await Promise.all(
    listPageReads(listId).map(async (read) => {
      const answer = await answerOf(read, send, late);
      return answer === undefined ? [] : [[read.address + (read.body ?? ''), answer] as const];
    }),
  );
  return { answers: Object.fromEntries(answered.flat()) };
}

async function answerOf(read: PageRead, send: Send, late: AbortSignal): Promise<unknown> {
  const tooLate = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)));
  const sent = async () => {
    const response = await send(read, late);
    return response.ok ? ((await response.json()) as unknown) : undefined;
  };
  return Promise.race([sent().catch(() => undefined), tooLate]);
}

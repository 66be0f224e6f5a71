import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { recordCalls } from '#test/e2e/harness/calls.ts';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import { card, read, see } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();

/** A list that someone elsewhere works on; the test plays the worker. */
async function listAtWork(userId: string, name: string): Promise<{ listId: string; runId: string }> {
  const listId = await buildListOf(journey.db, userId, [{}], { name, status: 'processing' });
  const { id: runId } = await journey.db
    .insertInto('app.runs')
    .values({
      user_id: userId,
      list_id: listId,
      list_name: name,
      kind: 'enrichment',
      state: 'running',
      input: '{}',
      sandbox: true,
      estimate_micros: 2_000_000,
      lease_owner: randomUUID(),
      lease_expires_at: new Date(Date.now() + 3_600_000),
      started_at: new Date(),
      progressed_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { listId, runId };
}

const reach = (runId: string, domainsDone: number) =>
  sql`
    update app.runs set progressed_at = now(), totals = ${JSON.stringify({ domains: 40, domainsDone })}::jsonb
    where id = ${runId}
  `.execute(journey.db);

async function finish({ listId, runId }: { listId: string; runId: string }): Promise<void> {
  await journey.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('app.runs')
      .set({ state: 'completed', finished_at: new Date() })
      .where('id', '=', runId)
      .execute();
    const changes = { status: 'completed', tier2_complete: true, completeness: 65 };
    await tx.updateTable('lists').set(changes).where('id', '=', listId).execute();
  });
}

const seeProgress = (page: Page, list: string, done: number) =>
  read(card(page, list), `${done} of 40 websites looked up`);
/** Counts how often the page is let into a channel. */
function countJoins(page: Page): { joins: number } {
  const counted = { joins: 0 };
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (/"lists:.*"phx_reply",.*"ok"/.test(String(payload).replaceAll('realtime:', ''))) counted.joins += 1;
    }),
  );
  return counted;
}

test('ten lists at work move on two screens, which ask for nothing meanwhile', async () => {
  const session = await journey.person('watcher');
  await sql`delete from app.rate_limits`.execute(journey.db);
  const again = await journey.site.signIn(session.email);
  const work = await Promise.all(Array.from({ length: 10 }, (_, index) => listAtWork(session.userId, `List ${index}`)));
  const [busy, unattended] = [await journey.visit({ session }), await journey.visit({ session: again })];
  const calls = [recordCalls(busy.page), recordCalls(unattended.page)];
  const channels = [countJoins(busy.page), countJoins(unattended.page)];
  for (const { page } of [busy, unattended]) {
    await page.goto('/');
    await read(page, 'List 9');
  }
  for (const one of channels) await expect.poll(() => one.joins).toBe(1);
  await pause(1_500);
  for (const one of calls) one.splice(0);

  for (let round = 1; round <= 8; round += 1) {
    for (const { runId } of work) await reach(runId, round);
    await pause(300);
  }
  for (const { page } of [busy, unattended]) for (const index of [0, 9]) await seeProgress(page, `List ${index}`, 8);
  for (const one of calls) expect(one.map(({ what }) => what).length).toBeLessThanOrEqual(2);

  const [first] = work;
  if (first) await finish(first);
  for (const { page } of [busy, unattended])
    await see(card(page, 'List 0').getByRole('button', { name: /Check Compliance/ }));
});

test('the page of a list shows its leads as they come', async () => {
  const session = await journey.person('reader');
  const work = await listAtWork(session.userId, 'Leads');
  const { page } = await journey.visit({ session });
  const channel = countJoins(page);
  await page.goto(`/lists/${work.listId}`);
  await expect.poll(() => channel.joins).toBe(1);
  await journey.db
    .updateTable('leads')
    .set({ email: 'ada@harbour.example', email_confidence: 93 })
    .where('list_id', '=', work.listId)
    .execute();
  await reach(work.runId, 12);
  await read(page, '12 of 40 websites looked up');
  await read(page, 'ada@harbour.example');
});

test('a socket that breaks is opened again, and what happened meanwhile is shown', async () => {
  const session = await journey.person('restart');
  const work = await listAtWork(session.userId, 'Restarted');
  const { page } = await journey.visit({ session });
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/realtime/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.goto('/');
  await read(page, 'Restarted');
  await expect.poll(() => sockets.length).toBe(1);
  await reach(work.runId, 3);
  await seeProgress(page, 'Restarted', 3);
  await sockets[0]?.close({ code: 1012 });
  await reach(work.runId, 4);
  await seeProgress(page, 'Restarted', 4);
  await expect.poll(() => sockets.length).toBe(2);
});

test('where no socket comes through, lists are asked for as before', async () => {
  const session = await journey.person('behind-a-proxy');
  const work = await listAtWork(session.userId, 'Polled');
  const { page } = await journey.visit({ session });
  await page.routeWebSocket(/realtime/, (socket) => void socket.close());
  await page.goto('/');
  await read(page, 'Polled');
  await reach(work.runId, 7);
  await seeProgress(page, 'Polled', 7);
  await finish(work);
  await see(card(page, 'Polled').getByRole('button', { name: /Check Compliance/ }));
});

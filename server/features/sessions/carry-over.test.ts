import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { denialText } from '#contract/access/precheck.ts';
import { carryOverSessionEndpoint } from '#contract/access/sessions.ts';
import type { AccessDecision } from '#server/access/decision.ts';
import { hostedAccounts } from '#server/accounts/hosted/hosted-accounts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/lib/app-error.ts';
import { startProduct } from '#test/product.ts';
import { carryOver } from './carry-over.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';

const product = await startProduct({ worker: false });
const { db, deps: here, log } = product;

const supabase = { url: 'http://127.0.0.1:9', publishableKey: 'none', secretKey: 'none', jwtSecret: undefined };
/** The addresses of links requested from Supabase. */
let asked: string[];
let decision: AccessDecision;
let supabaseWorks: boolean;
const deps: Deps = {
  ...here,
  gate: { ...here.gate, decide: async () => decision },
  accounts: {
    ...hostedAccounts({ ...here, supabase }),
    async signInToken(userId) {
      asked.push(userId);
      if (supabaseWorks) return `hash for ${userId}`;
      throw new AppError('UNAVAILABLE', 'Supabase did not accept the change.');
    },
  },
};
beforeEach(async () => {
  await db.deleteFrom('app.carried_sessions').execute();
  [asked, decision, supabaseWorks] = [[], { allow: true, as: 'known' }, true];
});

const ctx = { deps, requestId: 'request', log: here.log, signal: new AbortController().signal, ip: '192.0.2.1' };
const exchange = (refresh_token: string) => carryOver(ctx, { refresh_token });

async function carried({ endsInMs = 60_000, takenAgoMs }: { endsInMs?: number; takenAgoMs?: number } = {}) {
  const [token, user, id] = [randomUUID(), await product.user(), randomUUID()];
  const now = Date.now();
  await db
    .insertInto('app.carried_sessions')
    .values({
      id,
      user_id: user.id,
      token_hash: createHash('sha256').update(token).digest(),
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/149.0',
      ip: '203.0.113.7',
      created_at: new Date(0),
      last_used_at: new Date(0),
      ends_at: new Date(now + endsInMs),
      taken_at: takenAgoMs === undefined ? null : new Date(now - takenAgoMs),
    })
    .execute();
  return { token, user, id };
}

test('is exchanged once, and written down', async () => {
  const { token, user } = await carried();
  expect(await exchange(token)).toEqual({ token_hash: `hash for ${user.id}` });
  await expect(exchange(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(asked).toEqual([user.id]);
  const lines = db.selectFrom('app.audit_log').select(['action', 'details']).where('actor_id', '=', user.id);
  expect(await lines.execute()).toEqual([{ action: 'session.signed_in', details: { way: 'carried_over' } }]);
  expect(log.join()).not.toContain(token);
});

test('of many who present it together, one gets it', async () => {
  const { token } = await carried();
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => exchange(token)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(asked).toHaveLength(1);
});

test.each([
  ['what is no token', {}, () => randomUUID(), 'UNAUTHENTICATED'],
  ['one that has ended', { endsInMs: -1 }, (token: string) => token, 'UNAUTHENTICATED'],
  // After a crash, too: anyone who reloads the page at once must not lose it.
  ['one that is being exchanged', { takenAgoMs: 1000 }, (token: string) => token, 'UNAVAILABLE'],
])('%s is refused, and Supabase is not asked', async (_what, session, present, code) => {
  const { token } = await carried(session);
  await expect(exchange(present(token))).rejects.toMatchObject({ code });
  expect(asked).toEqual([]);
});

test('it is not lost while Supabase or the CRM cannot be asked, nor with a process that dies', async () => {
  const { token, user } = await carried({ takenAgoMs: 61_000 });
  supabaseWorks = false;
  for (const _ of [1, 2]) await expect(exchange(token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  supabaseWorks = true;
  decision = { allow: false, reason: 'KEAP_ERROR', message: denialText('KEAP_ERROR') };
  await expect(exchange(token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  decision = { allow: true, as: 'known' };
  expect(await exchange(token)).toEqual({ token_hash: `hash for ${user.id}` });
});

test('whom the gate refuses stays out', async () => {
  const { token } = await carried();
  decision = { allow: false, reason: 'DISABLED', message: denialText('DISABLED') };
  await expect(exchange(token)).rejects.toMatchObject({ code: 'FORBIDDEN', message: denialText('DISABLED') });
  expect(asked).toEqual([]);
});

test('its owner sees it among the sessions, and ends it', async () => {
  const [{ token, user, id }, other] = [await carried(), await carried()];
  const as = (userId: string) => ({
    ...ctx,
    user: { userId, sessionId: randomUUID(), email: '', role: 'user', aal: 'aal1', isFresh: true } as const,
  });
  const { sessions } = await listSessions(as(user.id));
  expect(sessions.slice(1)).toMatchObject([{ id, device: 'Firefox on Linux', ip: '203.0.113.7', isCurrent: false }]);
  await expect(endSession(as(user.id), { id: other.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await endSession(as(user.id), { id });
  await expect(exchange(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('anyone who is shut out loses all of them', async () => {
  const { token, user } = await carried();
  await db.transaction().execute((tx) => deps.accounts.shutOut(tx, user.id));
  await expect(exchange(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('where the sign-in is here, there is no such call', async () => {
  const user = await product.user();
  await expect(user.call(carryOverSessionEndpoint, { refresh_token: 'any' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { askToStopEndpoint } from '#contract/calling/stop-page.ts';
import {
  MOST_STOP_REQUESTS,
  saveSuppressionSettingsEndpoint,
  suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import { eventually } from '#test/eventually.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { askToStop } from './ask-to-stop.ts';
import { MOST_OF_NETWORK } from './stop-limits.ts';

let product: Product;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  admin = await product.admin();
  await admin.call(saveSuppressionSettingsEndpoint, { publicPage: true });
});
beforeEach(async () => {
  for (const table of ['app.stop_requests', 'app.suppressions', 'app.rate_limits'])
    await sql`delete from ${sql.table(table)}`.execute(product.db);
});

/** No text goes abroad, so each of these waits for an administrator. */
const abroad = (at: number) => `+44 20 7946 ${String(at).padStart(4, '0')}`;
const askFrom = (ip: string, value: string) =>
  askToStop(
    { deps: product.deps, requestId: '', log: product.deps.log, signal: new AbortController().signal, ip },
    { kind: value.includes('@') ? 'email' : 'phone', value },
  );
/** As many as one network has in some days. From other addresses of the same network, as IPv6 gives them out by the thousand. */
async function flood(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await askFrom(`2001:db8:5:${at.toString(16)}::1`, abroad(at)).catch(() => {});
}
const requests = async () => (await admin.call(suppressionSourcesEndpoint)).requests;

test('a stranger who floods the list neither fills it nor hides the requests of others', async () => {
  await flood(MOST_OF_NETWORK + 30);
  await expect(askFrom('2001:db8:5:ffff::1', abroad(999))).rejects.toMatchObject({
    code: 'CONFLICT',
    message:
      'Your request was not saved: too many requests from your network are waiting for an administrator. Ask again tomorrow, or tell the people who contact you.',
  });
  // What waits already is kept, also for who asks again.
  expect(await askFrom('2001:db8:5:ffff::1', abroad(3))).toMatchObject({ ask: expect.any(String) });
  await askFrom('198.51.100.20', '+44 20 7946 7777');
  const { items, total } = await requests();
  expect(total).toBe(MOST_OF_NETWORK + 1);
  expect(items.slice(0, 2).map(({ value }) => value)).toEqual(['+442079460000', '+442079467777']);
});

test('who can get a code needs no place in the list', async () => {
  await flood(MOST_OF_NETWORK);
  expect(await askFrom('2001:db8:5:ffff::1', 'near@people.example')).toMatchObject({ ask: expect.any(String) });
});

test('beyond the end of the list a person is told so, on the list or not', async () => {
  await sql`
    insert into app.stop_requests (key, network) select 'phone:+44' || (2000000000 + n), 'network ' || n
    from generate_series(1, ${MOST_STOP_REQUESTS}::integer) as n
  `.execute(product.db);
  const answer = await product.request(askToStopEndpoint.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'phone', value: abroad(1) }),
  });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({
    message:
      'Your request was not saved: too many requests are waiting for an administrator. Ask again tomorrow, or tell the people who contact you.',
  });
  await sql`insert into app.suppressions (kind, key, source) values ('phone', 'phone:+442079460001', 'hand')`.execute(
    product.db,
  );
  await expect(askFrom('198.51.100.21', abroad(1))).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('one whose code could not be sent was told of an administrator, and waits though the list is full', async () => {
  await flood(MOST_OF_NETWORK);
  const deps = { ...product.deps, sendMail: () => Promise.reject(new Error('no such mailbox')) };
  await askToStop(
    { deps, requestId: '', log: deps.log, signal: new AbortController().signal, ip: '2001:db8:5::1' },
    { kind: 'email', value: 'gone@people.example' },
  );
  await eventually(async () => expect((await requests()).total).toBe(MOST_OF_NETWORK + 1));
});

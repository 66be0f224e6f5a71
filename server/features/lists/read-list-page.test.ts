import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { listPageReads } from '#contract/work/list-page.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let other: TestUser;
let url: string;
let listId: string;

beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
  other = await product.user();
  url = await product.serve();
  listId = await buildListOf(product.db, user.id, [{ phone: '+1 217-555-0100' }, { phone: '+1 217-555-0101' }]);
});

async function ask(address: string, { as = user, body }: { as?: TestUser; body?: string } = {}): Promise<Response> {
  const headers = { authorization: await as.authorization(), 'content-type': 'application/json' };
  return fetch(url + address, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
}

async function readPage(list = listId, as = user): Promise<Record<string, unknown>> {
  const response = await ask(`/api/lists/${list}/page`, { as });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { answers: Record<string, unknown> } };
  return data.answers;
}

// This server has no data API: test/e2e/spec/section-7-calls.test.ts has it.
test('a page gets what each of its reads answers alone, and nothing of those that are refused', async () => {
  // A busy machine may leave one to the page.
  const answers = await vi.waitFor(async () => {
    const all = await readPage();
    expect(Object.keys(all)).toHaveLength(3);
    return all;
  }, 10_000);
  for (const { address, body } of listPageReads(listId)) {
    const alone = await ask(address, body === undefined ? {} : { body });
    expect(answers[address + (body ?? '')]).toEqual(alone.ok ? await alone.json() : undefined);
  }
});

test.each([
  ['someone else’s list', () => ask(`/api/lists/${listId}/page`, { as: other })],
  ['an id that is none', () => ask(`/api/lists/${encodeURIComponent('../../api/admin/users')}/page`)],
])('%s is not found', async (_what, asked) => {
  expect((await asked()).status).toBe(404);
});

test('needs someone who is signed in', async () => {
  expect((await fetch(`${url}/api/lists/${listId}/page`)).status).toBe(401);
});

test('a read that takes long is left out, and the others come', async () => {
  const owner = new pg.Client(product.url);
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query('lock table public.leads in access exclusive mode');
    let answers: string[] = [];
    // On a busy machine the others may take long as well.
    await expect.poll(async () => (answers = Object.keys(await readPage()))).toContain('/api/keys');
    expect(answers.filter((address) => address.includes('/leads/counts'))).toEqual([]);
  } finally {
    await owner.end();
  }
});

test('many at once do not take each other’s turns', async () => {
  const pages = await Promise.all(Array.from({ length: 12 }, () => readPage()));
  expect(pages.filter((answers) => Object.keys(answers).length > 0)).not.toEqual([]);
});

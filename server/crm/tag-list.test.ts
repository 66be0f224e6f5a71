import { expect, test } from 'vitest';
import type { Crm, CrmTagPage } from '#providers/provider.ts';
import type { CrmDesk } from './crm-desk.ts';
import { createCrmTagList } from './tag-list.ts';

const tags = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: String(from + index), name: `Tag ${from + index}` }));

/** A CRM that answers a page for each token. The first has none. */
function listOf(pageAt: (token: string | undefined) => CrmTagPage) {
  let asked = 0;
  const port = {
    async tagPage(_token: string, pageToken: string | undefined) {
      asked += 1;
      return pageAt(pageToken);
    },
  } as Crm;
  const desk: CrmDesk = { ask: (question) => question(port, 'token'), refreshWhenDue: async () => {} };
  const list = createCrmTagList(desk);
  return { ids: async () => (await list.page(0, 100_000)).map(({ tag_id }) => tag_id), asked: () => asked };
}
/** Pages one after the other, numbered by their tokens. */
const inTurn = (pages: CrmTagPage['tags'][]) =>
  listOf((token) => {
    const place = Number(token ?? 0);
    return { tags: pages[place] ?? [], ...(place + 1 < pages.length ? { nextPageToken: String(place + 1) } : {}) };
  });

test('pages that repeat, overlap or are empty end nothing', async () => {
  const ids = await inTurn([tags(0, 100), tags(0, 100), tags(50, 150), [], tags(150, 200)]).ids();
  expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
});

test('10,000 tags come whole, also in pages of 50', async () => {
  expect(await inTurn(Array.from({ length: 200 }, (_, page) => tags(page * 50, page * 50 + 50))).ids()).toHaveLength(
    10_000,
  );
});

test('a CRM that goes round in circles is left after a few pages', async () => {
  const ring = listOf((token) => ({ tags: tags(0, 10), nextPageToken: token === 'a' ? 'b' : 'a' }));
  expect(await ring.ids()).toHaveLength(10);
  expect(ring.asked()).toBe(3);
  let count = 0;
  const spiral = listOf(() => {
    count += 1;
    return { tags: tags(0, 10), nextPageToken: String(count) };
  });
  expect(await spiral.ids()).toHaveLength(10);
  expect(spiral.asked()).toBe(11);
});

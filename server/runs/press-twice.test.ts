import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { buildListOf, readCalls } from '#test/lists.ts';
import { type Process, type Product, startProduct } from '#test/product.ts';

/** How often a button is pressed twice; the promise is about 1,000 times. */
const PRESSES = Number(process.env.DOUBLE_PRESSES ?? 30);
/** As many as one person may press within a minute. */
const PRESSES_OF_ONE = 15;
const LISTS_AT_ONCE = 5;

let product: Product;
let second: Process;
beforeAll(async () => {
  product = await startProduct();
  second = await product.process();
});

test(
  `two tabs on two processes press the same button within 10 ms, ${PRESSES} times: one payment each time`,
  async () => {
    for (let pressed = 0; pressed < PRESSES; pressed += PRESSES_OF_ONE) {
      const key = `sandbox-twice${randomUUID()}`;
      const user = await product.user();
      await user.connect('hunter_io', key);
      const otherTab = second.as(user);
      const lists: string[] = [];
      for (let index = 0; index < PRESSES_OF_ONE; index += 1)
        lists.push(await buildListOf(product.db, user.id, [{ website: `https://twice${pressed + index}.example/` }]));
      await forEachAtOnce(lists, LISTS_AT_ONCE, (list_id) =>
        Promise.all([
          user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] }),
          otherTab.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] }),
        ]),
      );
      const asked = product.sandbox.meter.callsBySubject('hunter', key);
      expect([...asked.values()]).toEqual(Array(PRESSES_OF_ONE).fill(1));
      expect(await readCalls(product.db, user.id)).toHaveLength(PRESSES_OF_ONE);
    }
  },
  45_000 + PRESSES * 1_000,
);

import { beforeAll } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

/** A product for tests that bring their own workers: its first process only serves requests. Called once in a test file. */
export function setUpLifecycle() {
  let product: Product;
  let number = 0;
  beforeAll(async () => {
    product = await startProduct({ worker: false });
  });
  return {
    get product() {
      return product;
    },
    /** Someone with keys of their own for every provider, which fail as `fault` says. */
    async userWithKeys(fault = ''): Promise<{ user: TestUser; key: string }> {
      const user = await product.user();
      number += 1;
      const key = `sandbox-life${number}${fault}`;
      for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const) await user.connect(provider, key);
      return { user, key };
    },
    /** How often Hunter was asked for each domain with this key. */
    asked: (key: string) => product.sandbox.meter.callsBySubject('hunter', key),
  };
}

/** Leads with a site and a number each. */
export const sites = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    website: `https://life${index}.example/`,
    phone: `+1 512-555-01${String(index).padStart(2, '0')}`,
  }));

export const enrich = (user: TestUser, listId: string) =>
  user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });

import { beforeAll } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { plantedSite, type SiteKind } from '#sandbox/websites/planted-site.ts';
import type { Visit } from '#sandbox/websites/serve-sites.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

/** A product that notes whom it visits, for tests of a list's way through websites and Hunter. Called once in a test file. */
export function setUpWaterfall() {
  let product: Product;
  let number = 0;
  let next = 0;
  const visits: Visit[] = [];
  beforeAll(async () => {
    product = await startProduct({ onVisit: (visit) => visits.push(visit) });
  });
  return {
    get product() {
      return product;
    },
    visits,
    /** The domains of `count` sites of a kind that no other test has asked for. */
    domains(kind: SiteKind, count = 1): string[] {
      const found: string[] = [];
      for (; found.length < count; next += 1)
        if (plantedSite(`waterfall-${next}.example`).kind === kind) found.push(`waterfall-${next}.example`);
      return found;
    },
    /** Someone with a key of their own for Hunter, and how many domains it was asked for. */
    async connected(): Promise<{ user: TestUser; asked: () => number }> {
      const user = await product.user();
      number += 1;
      const key = `sandbox-waterfall${number}`;
      await user.connect('hunter_io', key);
      return { user, asked: () => product.sandbox.meter.callsBySubject('hunter', key).size };
    },
  };
}

export const leads = (names: readonly string[]) => names.map((domain) => ({ website: `https://www.${domain}/` }));
export const ofKind = (sandbox: boolean) => ({ sandbox });
export const enrich = (who: TestUser, listId: string, steps?: EnrichmentStep[]) =>
  who.call(enrichEmailsEndpoint, { list_id: listId, ...(steps ? { steps } : {}) });

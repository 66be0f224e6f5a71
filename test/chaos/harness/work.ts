import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { areaCodesOfState } from '#sandbox/geography/area-codes.ts';
import { LAST_READABLE_ENDING } from '#sandbox/searchbug/searchbug-verdicts.ts';
import { buildListOf } from '#test/lists.ts';
import type { TestUser } from '#test/product.ts';
import type { Site } from './site.ts';

const STATES = [
  'AL',
  'AZ',
  'CA',
  'CO',
  'FL',
  'GA',
  'IL',
  'IN',
  'MI',
  'MN',
  'MO',
  'NC',
  'NY',
  'OH',
  'PA',
  'TN',
  'TX',
  'VA',
  'WA',
  'WI',
];
const AREA_CODES = STATES.flatMap(areaCodesOfState);
const ENDINGS = LAST_READABLE_ENDING + 1;

/** Invented numbers that are told apart: as many as there are area codes times 97. */
function phone(index: number): string {
  const areaCode = AREA_CODES[Math.floor(index / ENDINGS)];
  if (areaCode === undefined) throw new Error(`There are not ${index + 1} invented numbers.`);
  return `+1 ${areaCode}-555-01${String(index % ENDINGS).padStart(2, '0')}`;
}

/** A list of someone with real data: `count` domains or numbers, from the `from`-th on. */
export function buildWork(
  site: Site,
  { id }: TestUser,
  kind: 'enrichment' | 'compliance',
  { from, count }: { from: number; count: number },
): Promise<string> {
  const leads = Array.from({ length: count }, (_, index) =>
    kind === 'enrichment' ? { website: `https://chaos${from + index}.example/` } : { phone: phone(from + index) },
  );
  return buildListOf(site.db, id, leads, { sandbox: false });
}

/** Presses the button of a list. Resolves when the run has ended well. */
export const press = (user: TestUser, kind: 'enrichment' | 'compliance', listId: string): Promise<unknown> =>
  kind === 'enrichment'
    ? user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] })
    : user.call(checkComplianceEndpoint, { list_id: listId });

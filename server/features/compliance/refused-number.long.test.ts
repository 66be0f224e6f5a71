import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { type PhoneScrubber, ProviderError } from '#providers/provider.ts';
import { buildListOf, readCalls, readLeads, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const BAD = '2175550107';
let product: Product;
let sent: string[][] = [];
let refuses: (number: string) => boolean = () => false;
beforeAll(async () => {
  product = await startProduct();
  // A SearchBug that accepts no request with such a number.
  const scrubber: PhoneScrubber = {
    testKey: () => Promise.reject(new Error('No one asks.')),
    async scrub(numbers) {
      sent.push([...numbers]);
      if (numbers.some(refuses)) throw new ProviderError('searchbug', 'bad_request', 'SearchBug did not accept this.');
      const verdicts = new Map(numbers.map((number) => [number, { number, status: 'safe' as const }]));
      return { verdicts, reply: { body: '{}', requestId: null }, rateMicros: 20_000 };
    },
  };
  product.deps.providers.phoneScrubber = () => scrubber;
});

async function userWith(count: number): Promise<{ user: TestUser; list_id: string }> {
  const user = await product.user();
  await user.connect('searchbug', `12345678:key-${user.id}`);
  const leads = Array.from({ length: count }, (_, at) => ({ phone: `+1 217-555-01${String(at).padStart(2, '0')}` }));
  sent = [];
  return { user, list_id: await buildListOf(product.db, user.id, leads, { sandbox: false }) };
}

const answered = () => sent.filter((numbers) => !numbers.some(refuses)).flat();

test('a number that SearchBug refuses ends no check, and every other number is paid for once', async () => {
  refuses = (number) => number === BAD;
  const { user, list_id } = await userWith(60);
  expect(await user.call(checkComplianceEndpoint, { list_id })).toMatchObject({ safe: 59, cost: 1.18 });
  expect(answered()).toHaveLength(59);
  const leads = await readLeads(product.db, list_id);
  const [open, ...others] = leads.filter((lead) => lead.compliance_status !== 'safe');
  expect(others).toEqual([]);
  expect(open).toMatchObject({ phone: '+1 217-555-0107', compliance_reason: 'SearchBug did not accept this number' });
  expect(await readList(product.db, list_id)).toMatchObject({ status: 'completed', compliance_checked: false });
  const calls = await readCalls(product.db, user.id);
  expect(calls.reduce((sum, { cost_micros: cost }) => sum + (cost ?? 0), 0)).toBe(59 * 20_000);
  // Another check asks for this number alone, and it costs nothing.
  sent = [];
  expect(await user.call(checkComplianceEndpoint, { list_id })).toMatchObject({ safe: 59, cost: 1.18 });
  expect(sent).toEqual([[BAD]]);
});

test('a refusal that is about no number ends the check with the first batch', async () => {
  refuses = () => true;
  const { user, list_id } = await userWith(60);
  await expect(user.call(checkComplianceEndpoint, { list_id })).rejects.toThrow(/did not accept/);
  expect(sent.length).toBeLessThan(3 * 40);
  expect((await readLeads(product.db, list_id)).every((lead) => lead.compliance_status === 'not_checked')).toBe(true);
  const alone = await userWith(1);
  await expect(alone.user.call(checkComplianceEndpoint, { list_id: alone.list_id })).rejects.toThrow(/did not accept/);
});

import { expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { buildListOf, readCalls, readLeads, readList } from '#test/lists.ts';
import { startProduct } from '#test/product.ts';

test('a web page in place of an answer stops the run and says what to do; what may have been charged is booked', async () => {
  const product = await startProduct();
  const user = await product.user();
  await user.connect('searchbug', 'sandbox-blocked-malformed');
  // Two requests: the sandbox cuts the answer to the first short, and answers the second with a web page.
  const phones = Array.from({ length: 24 }, (_, index) => ({
    phone: `+1 217-555-01${String(index).padStart(2, '0')}`,
  }));
  const listId = await buildListOf(product.db, user.id, phones);
  await expect(user.call(checkComplianceEndpoint, { list_id: listId })).rejects.toMatchObject({
    code: 'PROVIDER_BAD_CONFIGURATION',
    message: expect.stringContaining('Ask SearchBug support to allow the IP address'),
  });
  expect(await readList(product.db, listId)).toMatchObject({
    status: 'failed',
    compliance_checked: false,
    compliance_cost_micros: 480_000,
  });
  expect(new Set((await readCalls(product.db, user.id)).map((call) => call.state))).toEqual(new Set(['uncertain']));
  const verdicts = (await readLeads(product.db, listId)).map((lead) => lead.compliance_status);
  expect(new Set(verdicts)).toEqual(new Set(['not_checked']));
});

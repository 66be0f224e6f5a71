import { expect, test } from 'vitest';
import { ProviderError } from '#providers/provider.ts';
import { createCrmRest } from './crm-rest.ts';

let now = 0;
const refusal = (kind: ProviderError['kind'], retryAfterMs?: number) =>
  new ProviderError('keap', kind, 'Too much.', { retryAfterMs });

test('a limit that is used up is not run into again until its time is over, five minutes at most', () => {
  const rest = createCrmRest(() => now);
  const used = refusal('out_of_credit', 3_600_000);
  rest.begin('ours', used);
  now += 5 * 60_000 - 1;
  expect(() => rest.keep('ours')).toThrow(used);
  expect(() => rest.keep('another')).not.toThrow();
  now += 1;
  expect(() => rest.keep('ours')).not.toThrow();

  rest.begin('ours', refusal('rate_limited'));
  now += 4_999;
  expect(() => rest.keep('ours')).toThrow('Too much.');
  now += 1;
  expect(() => rest.keep('ours')).not.toThrow();
});

test('other failures begin no rest', () => {
  const rest = createCrmRest(() => now);
  for (const error of [refusal('transient'), refusal('bad_credentials'), new Error('anything')]) {
    rest.begin('ours', error);
    expect(() => rest.keep('ours')).not.toThrow();
  }
});

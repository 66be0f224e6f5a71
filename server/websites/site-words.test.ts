import { expect, test } from 'vitest';
import * as contract from '#contract/work/site-visit.ts';
import { MAIL_STATES } from '#websites/mail-exchange.ts';
import { SITE_STATUSES } from '#websites/site-visit.ts';

test('answers tell every way in which a visit ends, and every state of a domain', () => {
  expect(contract.SITE_STATUSES).toEqual(SITE_STATUSES);
  expect(contract.MAIL_STATES).toEqual(MAIL_STATES);
});

import type { Deps } from '#server/deps.ts';
import { type Looking, lookEvery } from '#server/lib/look-every.ts';
import { mailNotices } from './mail-notices.ts';

const EVERY_MS = 60_000;

/** Mails notices of budgets now and every minute. */
export const startBudgetNotices = (deps: Pick<Deps, 'db' | 'sendMail' | 'siteUrl' | 'log'>): Looking =>
  lookEvery(EVERY_MS, () => mailNotices(deps), { log: deps.log, trouble: 'budgets could not be checked' });

import type { Deps } from '#server/deps.ts';
import { type Looking, lookEvery } from '#server/lib/look-every.ts';
import { mailOwners } from './mail-owners.ts';

const EVERY_MS = 60_000;

/** Compares new entries with past exports now and every minute. */
export const startSuppressionNotices = (deps: Pick<Deps, 'db' | 'vault' | 'sendMail' | 'siteUrl' | 'log'>): Looking =>
  lookEvery(EVERY_MS, (stopping) => mailOwners(deps, stopping), {
    log: deps.log,
    trouble: 'past exports could not be compared with the suppression list',
  });

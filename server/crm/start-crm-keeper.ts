import type { Logger } from 'pino';
import { type Looking, lookEvery } from '#server/lib/look-every.ts';
import type { CrmDesk } from './crm-desk.ts';

const EVERY_MS = 5 * 60_000;

/** Keeps the connection to the CRM alive. */
export const startCrmKeeper = ({ crm, log }: { crm: CrmDesk; log: Logger }): Looking =>
  lookEvery(EVERY_MS, () => crm.refreshWhenDue(), { log, trouble: 'the CRM connection could not be refreshed' });

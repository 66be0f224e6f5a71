import { randomUUID } from 'node:crypto';
import { ProviderError } from '#providers/provider.ts';
import { isSandboxClient } from '#providers/registry.ts';
import type { Deps } from '#server/deps.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { readSettings } from '#server/features/suppressions/settings.ts';
import { AppError } from '#server/lib/app-error.ts';
import { createLeftOut } from './left-out.ts';
import { crmName, type Pull } from './pull.ts';
import { type Brought, claimPull, endPull, leavePull, PullLost, renewPull } from './pull-lease.ts';
import { pullStatuses } from './pull-statuses.ts';
import { pullTagged } from './pull-tagged.ts';

export type PullDeps = Pick<Deps, 'db' | 'crm' | 'log' | 'vault'>;

/** Takes over the CRM's opt-outs if that is due, in one process at a time. Returns whether it was. A failure is kept in words. */
export async function pullOptOuts({ db, crm, log, vault }: PullDeps, signal: AbortSignal): Promise<boolean> {
  const owner = randomUUID();
  const from = await claimPull(db, owner);
  if (!from) return false;
  const brought: Brought = { contacts: 0, addresses: 0, added: 0 };
  const settings = await readSettings(db);
  const sandbox = isSandboxClient(from.clientId);
  const pull: Pull = {
    db,
    evidence: await evidenceVault(db, vault),
    crm,
    from,
    sandbox,
    name: crmName(sandbox),
    signal,
    brought,
    left: createLeftOut(),
    renew: () => renewPull(db, { owner, from }, brought),
  };
  try {
    // Those who hold a tag there are invented, and their numbers may be those of real leads.
    if (settings.crmTag && !sandbox) await pullTagged(pull, settings.crmTag);
    if (settings.crmStatuses) await pullStatuses(pull);
    await endPull(db, owner, brought, undefined);
  } catch (error) {
    // Of another connection it is due at once.
    if (signal.aborted || error instanceof PullLost) await leavePull(db, owner);
    else {
      log.warn({ err: error }, 'the opt-outs of the CRM were not all taken over');
      await endPull(db, owner, brought, inWords(error));
    }
  }
  return true;
}

function inWords(error: unknown): string {
  if (error instanceof ProviderError || error instanceof AppError) return error.message.slice(0, 500);
  return 'Something went wrong in Fairlead. The log says more.';
}

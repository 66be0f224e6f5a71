import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { Crm } from '#providers/provider.ts';
import type { CrmDesk } from '#server/crm/crm-desk.ts';
import type { LeftOut } from './left-out.ts';
import type { Brought, PulledFrom } from './pull-lease.ts';

/** A pull under way. `sandbox`: whether the CRM is the simulated one, whose people are held apart from real leads. */
export type Pull = {
  db: Db;
  evidence: Vault;
  crm: CrmDesk;
  /** The connection that it began with. */
  from: PulledFrom;
  sandbox: boolean;
  /** What the CRM is called in notes. */
  name: string;
  signal: AbortSignal;
  brought: Brought;
  left: LeftOut;
  /** Keeps the claim on the pull. */
  renew(): Promise<void>;
};

/** What the CRM is called. `sandbox`: the simulated one. */
export const crmName = (sandbox: boolean): string => (sandbox ? 'Sandbox Keap' : 'Keap');

/** Others who ask, such as people at the sign-in form, go between. */
const MOST_WAIT_MS = 30_000;

/** Asks the CRM one thing. The claim is renewed before each call: a CRM that answers slowly is not asked by two processes. */
export async function askCrm<T>(pull: Pull, question: (crm: Crm, accessToken: string) => Promise<T>): Promise<T> {
  await pull.renew();
  return pull.crm.ask(question, { mostWaitMs: MOST_WAIT_MS, signal: pull.signal });
}

import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { mayReceive } from '#websites/mail-exchange.ts';
import { findOpenEmails, loadedReleases, type OpenEmail } from './find-open-emails.ts';
import type { FreeStep, FreeStepContext } from './free-step.ts';
import { storeOpenEmails } from './store-open-emails.ts';

const DOMAINS_AT_ONCE = 100;

/** Looks in the open data that is loaded here: the places of the same kind, sandbox or real, that are the same businesses. */
export const openStep: FreeStep = {
  name: 'open',
  async find(context, { domains: leadsOf }, domains) {
    const { deps, run } = context;
    const settled = new Set<string>();
    const releases = await loadedReleases(deps.db, run.sandbox);
    if (releases.length === 0) return settled;
    for (const chunk of chunks(domains, DOMAINS_AT_ONCE)) {
      context.signal.throwIfAborted();
      // Someone may have been suppressed since the run began.
      const free = await stillContactable(deps.db, leadsOf, chunk);
      const ids = free.flatMap((domain) => leadsOf.get(domain) ?? []);
      const found = await withMail(context, await findOpenEmails(deps.db, run.userId, releases, ids));
      await guardedTransaction(deps.db, (tx) => storeOpenEmails(tx, run, found));
      context.waits.moved();
      const without = await stillWithout(context, ids);
      for (const domain of free) if (!leadsOf.get(domain)?.some((id) => without.has(id))) settled.add(domain);
    }
    return settled;
  },
};

/** Keeps the emails that can receive mail. */
async function withMail({ deps, run }: FreeStepContext, found: readonly OpenEmail[]): Promise<OpenEmail[]> {
  const hosts = new Set(found.map(hostOf));
  const states = await Promise.all(
    [...hosts].map(async (host) => [host, await deps.websites.mailState(run.sandbox, host)] as const),
  );
  const good = new Set(states.flatMap(([host, state]) => (mayReceive(state) ? [host] : [])));
  return found.filter((one) => good.has(hostOf(one)));
}

const hostOf = ({ email }: OpenEmail) => email.slice(email.indexOf('@') + 1);

async function stillWithout({ deps }: FreeStepContext, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await deps.db
    .selectFrom('leads')
    .select('id')
    .where('id', 'in', ids)
    .where('email', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

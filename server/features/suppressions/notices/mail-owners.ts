import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { findOwners, type Owner } from './find-owners.ts';
import { mailErasures } from './mail-erasures.ts';
import { noticeMail } from './notice-mail.ts';

type NoticeDeps = Pick<Deps, 'db' | 'vault' | 'sendMail' | 'siteUrl' | 'log'>;

/** Longer than anyone takes to store entries: what was committed late is still looked at. */
const OVERLAP = sql`interval '2 minutes'`;

/** Mails the owners of exports that held a contact suppressed or erased since the last look, once for each. In one process at a time. */
export async function mailOwners(deps: NoticeDeps, signal: AbortSignal): Promise<void> {
  await deps.db.transaction().execute(async (locked) => {
    const { rows } = await sql<{ held: boolean; since: string; now: string }>`
      select pg_try_advisory_xact_lock(hashtextextended('suppression notices', 0)) as held,
        (watched_to - ${OVERLAP})::text as since, now()::text as now
      from app.suppression_settings
    `.execute(locked);
    const [watch] = rows;
    if (!watch?.held) return;
    await mailErasures(deps, signal);
    let failed = false;
    for (const owner of await findOwners(deps.db, watch.since, signal)) {
      await mail(deps, owner).catch((error: unknown) => {
        failed = true;
        deps.log.warn({ err: error, userId: owner.userId }, 'the owner of an export could not be emailed');
      });
    }
    // Whom a mail did not reach is tried again.
    if (failed || signal.aborted) return;
    await sql`update app.suppression_settings set watched_to = ${watch.now}::timestamptz`.execute(locked);
  });
}

/** Sent before it is noted for good: a process that dies in between mails again, rather than not at all. */
async function mail({ db, sendMail, siteUrl }: NoticeDeps, { userId, email, contacts }: Owner): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into app.suppression_notices (suppression_id, user_id)
      select entry.id, ${userId}::uuid from app.suppressions as entry where entry.id = any(${contacts.map(({ id }) => id)}::uuid[])
      on conflict do nothing
      returning suppression_id as id
    `.execute(tx);
    const untold = new Set(rows.map(({ id }) => id));
    const news = contacts.filter(({ id }) => untold.has(id));
    if (news.length > 0) await sendMail({ to: email, ...noticeMail(news, siteUrl) });
  });
}

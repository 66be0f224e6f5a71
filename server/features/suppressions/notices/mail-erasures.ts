import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { openNotice } from './erasure-notice.ts';
import { NAMED_AT_MOST, noticeMail } from './notice-mail.ts';

type ErasureDeps = Pick<Deps, 'db' | 'vault' | 'sendMail' | 'siteUrl' | 'log'>;
type Row = { id: string; userId: string; email: string; sealed: string };

/** Mails the owners of exports that held a contact which was erased. A mail that fails is tried again, for 30 days. */
export async function mailErasures(deps: ErasureDeps, signal: AbortSignal): Promise<void> {
  await sql`
    update app.erasure_notices set sealed_notice = null
    where sealed_notice is not null and asked_at < now() - interval '30 days'`.execute(deps.db);
  const { rows } = await sql<Row>`
    select id, user_id as "userId", email, sealed_notice as sealed
    from app.erasure_notices join app.profiles using (user_id)
    where sealed_notice is not null order by asked_at, id limit 10000
  `.execute(deps.db);
  for (const [userId, waiting] of Map.groupBy(rows, (row) => row.userId)) {
    if (signal.aborted) return;
    await mail(deps, waiting.slice(0, NAMED_AT_MOST)).catch((error: unknown) =>
      deps.log.warn({ err: error, userId }, 'the owner of an export could not be emailed'),
    );
  }
}

/** Sent before it is noted for good: a process that dies in between mails again, rather than not at all. */
async function mail({ db, vault, sendMail, siteUrl }: ErasureDeps, waiting: readonly Row[]): Promise<void> {
  const [first] = waiting;
  if (!first) return;
  const notices = waiting.map(({ id, sealed }) => openNotice(vault, id, sealed));
  await sendMail({ to: first.email, ...noticeMail(notices, siteUrl, { erased: true }) });
  await sql`
    update app.erasure_notices set sealed_notice = null where id = any(${waiting.map(({ id }) => id)}::uuid[])
  `.execute(db);
}

import { sql } from 'kysely';
import type { Env } from '#server/config/env.ts';
import type { Deps } from '#server/deps.ts';
import { forgetEvidence } from '#server/evidence/forget-evidence.ts';
import { mailHeads } from '#server/evidence/mail-heads.ts';
import { endKeeping } from './end-keeping.ts';
import { forgetAudit } from './forget-audit.ts';
import { forgetCalls } from './forget-calls.ts';
import { forgetExpired } from './forget-expired.ts';
import { forgetImports } from './forget-imports.ts';
import { sweepLists } from './sweep-lists.ts';
import { uncheckLists } from './uncheck-lists.ts';
import { warnOfDeletion } from './warn-of-deletion.ts';

export type SweepDeps = Pick<Deps, 'db' | 'env' | 'sendMail' | 'siteUrl' | 'log'>;

/**
 * Sweeps everyone's lists and what has expired, unless a sweep ended in the last 24 hours or another process is at it.
 * Returns whether it was done. One that fails or is stopped counts as missed, and the next one continues.
 */
export async function sweepDaily(deps: SweepDeps, signal: AbortSignal): Promise<boolean> {
  // The lock is a transaction's, so that it ends with the process that holds it, and a pooler leaves its connection alone. The sweep
  // itself works beside it: between its statements an open transaction holds nothing else.
  return deps.db.transaction().execute(async (locked) => {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('daily sweep', 0)) as held`.execute(locked);
    if (!rows[0]?.held) return false;
    // By a clock of its own: a mail server that failed is tried again at the next look, not on the next day.
    if (canMail(deps.env)) await mailHeads(deps, signal);
    const recent = await locked
      .selectFrom('app.daily_sweep')
      .select('swept_at')
      .where('swept_at', '>', sql<Date>`now() - interval '24 hours'`)
      .executeTakeFirst();
    if (recent) return false;
    await sweep(deps, signal);
    if (signal.aborted) return false;
    await sql`
      insert into app.daily_sweep (swept_at) values (clock_timestamp())
      on conflict (singleton) do update set swept_at = clock_timestamp()
    `.execute(locked);
    return true;
  });
}

async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const mailWorks = canMail(deps.env);
  await endKeeping(deps.db, signal);
  if (mailWorks) await warnOfDeletion(deps, signal);
  const { archived, deleted } = await sweepLists(deps.db, { announcedOnly: mailWorks, signal });
  await forgetExpired(deps.db, signal);
  await forgetImports(deps.db, signal);
  await uncheckLists(deps.db, signal);
  await forgetAudit(deps.db, signal);
  await forgetCalls(deps.db, signal);
  await forgetEvidence(deps.db, signal);
  deps.log.info({ archived, deleted }, 'daily sweep');
}

/** Without a mail server and without the mailbox no one could ever be warned, and nothing would ever be deleted. */
const canMail = ({ smtpUrl, sandbox }: Env): boolean => smtpUrl !== undefined || sandbox;

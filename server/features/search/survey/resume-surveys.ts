import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { RESUME_LEASE } from '#server/features/search/resume-lease.ts';
import { AppError } from '#server/lib/app-error.ts';
import { startRunOfNoList } from '#server/runs/start/start-run-of-no-list.ts';

const AT_ONCE = 20;

type Due = { id: string; user_id: string; label: string; sandbox: boolean; leased: Date };

/** Resumes surveys that are due. Each is taken by one process. */
export async function resumeSurveys(deps: Pick<Deps, 'db' | 'queue'>): Promise<void> {
  const { rows } = await sql<Due>`
    update app.surveys set resume_at = ${RESUME_LEASE}, out_of_quota = false
    where id in (
      select id from app.surveys where resume_at <= now() order by resume_at limit ${AT_ONCE} for update skip locked
    )
    returning id, user_id, label, sandbox, resume_at as leased
  `.execute(deps.db);
  for (const { id, user_id: userId, label, sandbox, leased } of rows) {
    try {
      await startRunOfNoList(
        { deps, user: { userId } },
        { kind: 'survey', name: label, input: { surveyId: id }, sandbox, boundMicros: async () => 0 },
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await sql`update app.surveys set state = 'stopped', why = ${error.message} where id = ${id}`.execute(deps.db);
    }
    await sql`update app.surveys set resume_at = null where id = ${id} and resume_at = ${leased}`.execute(deps.db);
  }
}

import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/lib/app-error.ts';
import { startRunOfNoList } from '#server/runs/start/start-run-of-no-list.ts';

const AT_ONCE = 20;

type Due = { id: string; user_id: string; label: string };

/** Goes on with surveys whose day has come. Each is taken by one process. */
export async function resumeSurveys(deps: Pick<Deps, 'db' | 'queue'>): Promise<void> {
  const { rows } = await sql<Due>`
    update app.surveys set resume_at = null, out_of_quota = false
    where id in (
      select id from app.surveys where resume_at <= now() order by resume_at limit ${AT_ONCE} for update skip locked
    )
    returning id, user_id, label
  `.execute(deps.db);
  for (const { id, user_id: userId, label } of rows) {
    try {
      await startRunOfNoList(
        { deps, user: { userId } },
        { kind: 'survey', name: label, input: { surveyId: id }, boundMicros: async () => 0 },
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await sql`update app.surveys set state = 'stopped', why = ${error.message} where id = ${id}`.execute(deps.db);
    }
  }
}

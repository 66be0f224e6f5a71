import type { RealtimeOptions } from '#backend/realtime/options.ts';
import type { WatchedTable } from './watched-tables.ts';

/**
 * Asks which of some rows someone sees. `claims`: those of their token, as JSON. Questions about the same rows share one array of `ids`,
 * which is then sent once.
 */
export type Question = { ids: readonly string[]; claims: string };

/** What is visible to whom under row-level security. `question` is the place of the question, from 0. */
export async function findVisible(
  { pool }: Pick<RealtimeOptions, 'pool'>,
  table: WatchedTable,
  questions: readonly Question[],
): Promise<{ question: number; id: string }[]> {
  const ids: string[] = [];
  const firsts = new Map<readonly string[], number>();
  for (const one of new Set(questions.map((question) => question.ids))) {
    firsts.set(one, ids.length + 1);
    ids.push(...one);
  }
  const first = (question: Question) => firsts.get(question.ids) ?? 1;
  const { rows } = await pool.query<{ question: number; id: string }>(
    `select question - 1 as question, id from ${table.answers}($1, $2, $3, $4)`,
    [
      ids,
      questions.map(({ claims }) => claims),
      questions.map(first),
      questions.map((question) => first(question) + question.ids.length - 1),
    ],
  );
  return rows;
}

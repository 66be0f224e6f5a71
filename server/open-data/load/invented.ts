import type pg from 'pg';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';

/** What the ids of invented places begin with. */
const INVENTED = 'sandbox-';

/**
 * Whether the places of an import are invented.
 * @throws UnreadableFile where only some are: the two are never mixed.
 */
export async function isInvented(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ some: boolean | null; all: boolean | null }>(
    `select bool_or(starts_with(source_id, $1)) as some, bool_and(starts_with(source_id, $1)) as all
     from app.open_staged`,
    [INVENTED],
  );
  const { some, all } = rows[0] ?? {};
  if (some && !all)
    throw new UnreadableFile('Some of these places are invented and some are real. Load them separately.');
  return some ?? false;
}

import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { AppError } from '#server/lib/app-error.ts';
import { isApart } from '#server/open-data/sources.ts';
import { findKey } from '#server/runs/start/find-key.ts';

/** Which open data a search reads. `apart`: places under the ODbL alone, which are never put together with others. */
export type OpenKind = { sandbox: boolean; apart: boolean; releaseIds: number[] };

/**
 * Chooses between real and invented places, which one list never mixes.
 * The list's own data decides, then its owner's key, then what is loaded: real before invented.
 * Places under the ODbL are read when nothing else of that kind is loaded.
 * @throws CONFLICT when nothing is loaded.
 */
export async function kindOfOpen(tx: Db | Tx, userId: string, listKind: boolean | null): Promise<OpenKind> {
  const { rows } = await sql<{ id: number; source: string; license: string; sandbox: boolean }>`
    select id, source, license, sandbox from app.open_releases where removed_at is null order by id
  `.execute(tx);
  const has = (sandbox: boolean) => rows.some((row) => row.sandbox === sandbox);
  const key = await findKey(tx, userId, 'google_places');
  const sandbox = listKind ?? (key && has(key.sandbox) ? key.sandbox : !has(false));
  const ofKind = rows.filter((row) => row.sandbox === sandbox);
  if (ofKind.length === 0) throw new AppError('CONFLICT', noneLoaded(listKind, rows.length > 0));
  const together = ofKind.filter((row) => !isApart(row));
  const read = together.length > 0 ? together : ofKind;
  return { sandbox, apart: together.length === 0, releaseIds: read.map(({ id }) => id) };
}

function noneLoaded(listKind: boolean | null, other: boolean): string {
  if (!other) return 'No open data is loaded yet. An administrator can load it under Admin, Open data.';
  return `This search is for ${listKind ? 'sandbox' : 'real'} data, and only ${listKind ? 'real' : 'sandbox'} open data is loaded.`;
}

import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { AppError } from '#server/lib/app-error.ts';
import { isApart } from '#server/open-data/sources.ts';
import { findKey } from '#server/runs/start/find-key.ts';

/** The releases of one table. `apart`: places under the ODbL, which are never put together with others. */
export type OpenPart = { apart: boolean; releaseIds: number[] };

/** Which open data a search reads: the first of its parts that has anything for it, and never two. */
export type OpenKind = { sandbox: boolean; parts: OpenPart[] };

type Asked = { userId: string; listKind: boolean | null; listId?: string | undefined };
type Release = { id: number; source: string; license: string; sandbox: boolean };

/**
 * Chooses between real and invented places, which one list never mixes.
 * The list's own data decides, then its owner's key, then what is loaded: real before invented.
 * A list with leads of one part stays with it.
 * @throws CONFLICT when nothing is loaded.
 */
export async function kindOfOpen(tx: Db | Tx, { userId, listKind, listId }: Asked): Promise<OpenKind> {
  const releases = await readLoaded(tx);
  const kind = await chooseKind(tx, releases, userId, listKind);
  if (kind.parts.length === 0) throw new AppError('CONFLICT', noneLoaded(listKind, releases.length > 0));
  const held = listId === undefined ? [] : await partsHeld(tx, listId);
  const parts = held.length === 1 ? kind.parts.filter(({ apart }) => apart === held[0]) : kind.parts;
  if (parts.length === 0) throw new AppError('CONFLICT', OTHER_PART);
  return { ...kind, parts };
}

/** The releases that a search into a new list reads: first, or last where the others have nothing for it. */
export async function searchedReleases(db: Db, userId: string): Promise<ReadonlyMap<number, 'first' | 'last'>> {
  const { parts } = await chooseKind(db, await readLoaded(db), userId, null);
  return new Map(
    parts.flatMap(({ releaseIds }, at) => releaseIds.map((id) => [id, at === 0 ? 'first' : 'last'] as const)),
  );
}

async function chooseKind(
  tx: Db | Tx,
  releases: readonly Release[],
  userId: string,
  listKind: boolean | null,
): Promise<OpenKind> {
  const has = (sandbox: boolean) => releases.some((release) => release.sandbox === sandbox);
  const key = await findKey(tx, userId, 'google_places');
  const sandbox = listKind ?? (key && has(key.sandbox) ? key.sandbox : !has(false));
  const parts = [false, true].map((apart) => ({
    apart,
    releaseIds: releases.flatMap((one) => (one.sandbox === sandbox && isApart(one) === apart ? [one.id] : [])),
  }));
  return { sandbox, parts: parts.filter(({ releaseIds }) => releaseIds.length > 0) };
}

async function readLoaded(tx: Db | Tx): Promise<Release[]> {
  const { rows } = await sql<Release>`
    select id, source, license, sandbox from app.open_releases where removed_at is null order by id
  `.execute(tx);
  return rows;
}

/** Whether what brought a list's leads of open data is under the ODbL, or is not: both where lists were merged. */
async function partsHeld(tx: Db | Tx, listId: string): Promise<boolean[]> {
  const { rows } = await sql<Release>`
    select source, license from app.open_releases where 'open:' || id in (
      select sources ->> 'business_name' from public.leads where list_id = ${listId} and open_id is not null
    )
  `.execute(tx);
  return [...new Set(rows.map(isApart))];
}

const OTHER_PART =
  'Places under the ODbL are kept apart from other open data. This list has one, and only the other is loaded. Search into a new list.';

function noneLoaded(listKind: boolean | null, other: boolean): string {
  if (!other) return 'No open data is loaded yet. An administrator can load it under Admin, Open data.';
  return `This search is for ${listKind ? 'sandbox' : 'real'} data, and only ${listKind ? 'real' : 'sandbox'} open data is loaded.`;
}

import type pg from 'pg';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import { areaOfOrder } from './area-of-order.ts';
import type { Order } from './order.ts';

/** More than these, and more than a fifth of what is known, do not vanish from one release to the next. */
const MANY = 100;
const MANY_OF = 5;
/** Places looked at in one step. */
const AT_ONCE = 10_000;

type Gone = { table: string; importId: number; source: string; sandbox: boolean; order: Order };

/**
 * Marks the known places of the order's area that are not staged, and returns how many they are.
 * @throws UnreadableFile where so much is missing that the files may be only a part.
 */
export async function markGone(client: pg.Client, what: Gone): Promise<number> {
  const { bbox, state, missing } = what.order;
  const { gone, left } = await (state === undefined ? markInFrame : markInState)(client, what);
  if (missing === 'whole' || gone <= MANY || gone * MANY_OF <= gone + left) return gone;
  throw new UnreadableFile(
    `These files lack ${gone.toLocaleString('en-US')} places that were loaded before${bbox || state ? ' in this area' : ''}. If they are only a part, ` +
      `${bbox || state ? '' : 'name its state or area, or '}say that they are a part: then nothing counts as gone. If they are the complete data, say so.`,
  );
}

/** `left`: the places of the area that are there after this. */
type Marked = { gone: number; left: number };

const IS_KNOWN = `place.source = $1 and place.gone_on is null
  and place.release_id in (select id from app.open_releases where source = $1 and sandbox = $2)
  and ($3::float8 is null or place.latitude between $4::float8 and $6::float8
    and case when $3::float8 <= $5::float8 then place.longitude between $3::float8 and $5::float8
      else place.longitude >= $3::float8 or place.longitude <= $5::float8 end)`;
const IS_STAGED = 'exists (select from app.open_staged where source_id = place.source_id)';

function knownIn({ source, sandbox }: Gone, frame: Order['bbox']): unknown[] {
  return [source, sandbox, frame?.west, frame?.south, frame?.east, frame?.north];
}

async function markInFrame(client: pg.Client, what: Gone): Promise<Marked> {
  const values = knownIn(what, what.order.bbox);
  const { rowCount } = await client.query(
    `update ${what.table} as place set gone_on = current_date, gone_by = $7 where ${IS_KNOWN} and not ${IS_STAGED}`,
    [...values, what.importId],
  );
  const { rows } = await client.query<{ left: number }>(
    `select count(*)::integer as left from ${what.table} as place where ${IS_KNOWN}`,
    values,
  );
  return { gone: rowCount ?? 0, left: rows[0]?.left ?? 0 };
}

/** By the outline that decided which places are loaded. What a place says of its state may be missing, or of another country. */
async function markInState(client: pg.Client, what: Gone): Promise<Marked> {
  const area = areaOfOrder(what.order);
  const values = knownIn(what, area.frame);
  const marked: Marked = { gone: 0, left: 0 };
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ id: string; longitude: number; latitude: number; staged: boolean }>(
      `select source_id as id, longitude, latitude, ${IS_STAGED} as staged from ${what.table} as place
       where ${IS_KNOWN} and source_id > $7 order by source_id limit ${AT_ONCE}`,
      [...values, after],
    );
    const within = rows.filter(({ longitude, latitude }) => area.holds(longitude, latitude));
    const gone = within.flatMap(({ id, staged }) => (staged ? [] : [id]));
    await client.query(
      `update ${what.table} set gone_on = current_date, gone_by = $3 where source = $1 and source_id = any ($2)`,
      [what.source, gone, what.importId],
    );
    marked.gone += gone.length;
    marked.left += within.length - gone.length;
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return marked;
    after = last.id;
  }
}

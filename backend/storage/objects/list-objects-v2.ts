import { z } from 'zod/mini';
import { asCaller } from '#backend/data/transaction.ts';
import { addressedBucket, type Call, readBody } from '#backend/storage/call.ts';
import { invalidRequest } from '#backend/storage/storage-error.ts';

const MAX_LIMIT = 1_000;

const Body = z.object({
  prefix: z.optional(z.string().check(z.maxLength(1_024))),
  limit: z.optional(z.int().check(z.positive())),
  cursor: z.optional(z.string().check(z.maxLength(8_192))),
  with_delimiter: z.optional(z.boolean()),
  sortBy: z.optional(
    z.object({
      column: z.optional(z.enum(['name', 'updated_at', 'created_at'])),
      order: z.optional(z.enum(['asc', 'desc'])),
    }),
  ),
});
/** Behind which entry a page begins. `at` is its time, where entries are sorted by one. */
const Cursor = z.object({ name: z.string(), at: z.nullable(z.iso.datetime({ offset: true })) });
type Cursor = z.output<typeof Cursor>;

type Entry = { name: string; folder: boolean; at: string; [column: string]: unknown };

/**
 * POST /object/list-v2/:bucket: the objects whose names begin with a prefix, in pages. With a delimiter, what stands deeper is
 * told as folders, whose time is that of their oldest object.
 */
export async function listObjectsV2(call: Call): Promise<Response> {
  const body = await readBody(call, Body);
  const limit = Math.min(body.limit ?? MAX_LIMIT, MAX_LIMIT);
  const { column = 'name', order = 'asc' } = body.sortBy ?? {};
  const isByName = column === 'name';
  const after = body.cursor === undefined ? undefined : readCursor(body.cursor);
  if (after && (after.at === null) !== isByName) throw invalidRequest('body/cursor is of another sorting');

  const values: unknown[] = [addressedBucket(call.c), body.prefix ?? '', body.with_delimiter ?? false, limit + 1];
  const bound = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const sorted = isByName ? ['entry.name'] : ['entry.at', 'entry.name'];
  const from = after && [...(isByName ? [] : [bound(after.at, 'timestamptz')]), bound(after.name, 'text')];
  const where = from ? `where (${sorted.join(', ')}) ${order === 'asc' ? '>' : '<'} (${from.join(', ')})` : '';
  const { rows } = await asCaller(
    call.pool,
    call.caller,
    'read only',
    (client) =>
      client.query<Entry>(
        `select entry.name, entry.folder, to_char(entry.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, file.* from (
         select name, folder, case when folder then min(created_at) else min(${isByName ? 'created_at' : column}) end as at,
           (array_agg(id))[1] as file_id
         from (
           select case when inside > 0 then left(name, length($2) + inside) else name end as name, inside > 0 as folder,
             id, created_at, updated_at
           from (
             select id, name, created_at, updated_at,
               case when $3 then strpos(substr(name, length($2) + 1), '/') else 0 end as inside
             from storage.objects where bucket_id = $1 and starts_with(name, $2)
           ) as found
         ) as named group by name, folder
       ) as entry
       left join lateral (
         select id, updated_at, created_at, last_accessed_at, metadata from storage.objects
         where id = entry.file_id and not entry.folder
       ) as file on true
       ${where} order by ${sorted.map((by) => `${by} ${order}`).join(', ')} limit $4`,
        values,
      ),
    call.c.req.raw.signal,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return call.c.json({
    hasNext: rows.length > limit,
    ...(rows.length > limit && last
      ? { nextCursor: writeCursor({ name: last.name, at: isByName ? null : last.at }) }
      : {}),
    folders: page.filter(({ folder }) => folder).map(({ name }) => ({ name })),
    objects: page.filter(({ folder }) => !folder).map(({ folder: _, at: __, ...object }) => object),
  });
}

const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

function readCursor(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalidRequest('body/cursor is not valid');
  }
}

import { z } from 'zod/mini';
import { asCaller } from '#backend/data/transaction.ts';
import { addressedBucket, type Call, count, readBody } from '#backend/storage/call.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

const Body = z.object({
  prefix: z.optional(z.string().check(z.maxLength(1_024))),
  limit: z.optional(count),
  offset: z.optional(count),
  search: z.optional(z.string().check(z.maxLength(1_024))),
  sortBy: z.optional(
    z.object({
      column: z.optional(z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at'])),
      order: z.optional(z.enum(['asc', 'desc'])),
    }),
  ),
});

/** POST /object/list/:bucket: what stands directly in a folder, by name unless asked otherwise. Folders have a name and nothing else. */
export async function listObjects(call: Call): Promise<Response> {
  const body = await readBody(call, Body);
  const { prefix = '', limit = DEFAULT_LIMIT, offset = 0, search = '' } = body;
  const { column = 'name', order = 'asc' } = body.sortBy ?? {};
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const { rows } = await asCaller(
    call.pool,
    call.caller,
    'read only',
    (client) =>
      client.query(
        `select entry as name, file.* from (
         select split_part(substr(name, length($2) + 1), '/', 1) as entry,
           case when strpos(substr(name, length($2) + 1), '/') = 0 then id end as file_id
         from storage.objects where bucket_id = $1 and starts_with(name, $2)
         group by 1, 2
       ) as entries
       left join lateral (
         select id, updated_at, created_at, last_accessed_at, metadata from storage.objects where id = file_id
       ) as file on true
       where starts_with(lower(entry), lower($3))
       order by ${column === 'name' ? 'entry' : `file.${column}`} ${order}, entry limit $4 offset $5`,
        [addressedBucket(call.c), folder, search, Math.min(limit, MAX_LIMIT), offset],
      ),
    call.c.req.raw.signal,
  );
  return call.c.json(rows);
}

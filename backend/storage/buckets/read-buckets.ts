import { z } from 'zod/mini';
import { asCaller } from '#backend/data/transaction.ts';
import { addressedBucket, type Call } from '#backend/storage/call.ts';
import { invalidRequest, noSuchBucket } from '#backend/storage/storage-error.ts';

const COLUMNS = `id, name, coalesce(owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit,
  allowed_mime_types, created_at, updated_at`;
const MAX_BUCKETS = 1_000;

const number = z.optional(z.string().check(z.regex(/^\d{1,9}$/)));
const Query = z.object({
  limit: number,
  offset: number,
  search: z.optional(z.string()),
  sortColumn: z.optional(z.enum(['id', 'name', 'created_at', 'updated_at'])),
  sortOrder: z.optional(z.enum(['asc', 'desc'])),
});

/** GET /bucket: those that a policy shows, by name unless asked otherwise. */
export async function listBuckets({ c, pool, caller }: Call): Promise<Response> {
  const query = Query.safeParse(c.req.query());
  if (!query.success) throw invalidRequest(`querystring/${query.error.issues[0]?.path.join('/') ?? ''} is not valid`);
  const { limit, offset = 0, search = '', sortColumn = 'name', sortOrder = 'asc' } = query.data;
  const { rows } = await asCaller(
    pool,
    caller,
    'read only',
    (client) =>
      client.query(
        `select ${COLUMNS}, 'STANDARD' as type from storage.buckets where strpos(lower(name), lower($1)) > 0
       order by ${sortColumn} ${sortOrder}, id limit $2 offset $3`,
        [search, Math.min(Number(limit ?? MAX_BUCKETS), MAX_BUCKETS), offset],
      ),
    c.req.raw.signal,
  );
  return c.json(rows);
}

/** GET /bucket/:bucket */
export async function getBucket({ c, pool, caller }: Call): Promise<Response> {
  const { rows } = await asCaller(
    pool,
    caller,
    'read only',
    (client) => client.query(`select ${COLUMNS} from storage.buckets where id = $1`, [addressedBucket(c)]),
    c.req.raw.signal,
  );
  if (!rows[0]) throw noSuchBucket();
  return c.json(rows[0]);
}

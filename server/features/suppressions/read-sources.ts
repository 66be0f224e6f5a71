import { sql } from 'kysely';
import {
  STOP_REQUESTS_SHOWN,
  type StopRequest,
  type suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { readPull } from './crm/read-pull.ts';
import { readSettings } from './settings.ts';
import { contactOf } from './stop/contact-of.ts';

/** Who asked while they were on the list waits unseen: once an administrator takes them off, the request is there. */
const NEEDS_DECISION = sql<boolean>`not exists (
  select from app.suppressions as entry where entry.key = request.key and entry.added_at <= request.asked_at)`;

/** Where suppressions come from, what waits for an administrator, and how many contacts were erased. */
export async function readSources({ deps: { db } }: Ctx): Promise<DataOf<typeof suppressionSourcesEndpoint>> {
  const [settings, pull, waiting, counts] = await Promise.all([
    readSettings(db),
    readPull(db),
    sql<{ id: string; key: string; asked_at: Date }>`
      select id, key, asked_at from app.stop_requests as request where ${NEEDS_DECISION}
      order by row_number() over (partition by coalesce(network, id::text) order by asked_at, id), asked_at, id
      limit ${STOP_REQUESTS_SHOWN}
    `.execute(db),
    sql<{ requests: number; erased: number }>`
      select (select count(*)::integer from app.stop_requests as request where ${NEEDS_DECISION}) as requests,
        (select count(*)::integer from app.erased_contacts) as erased
    `.execute(db),
  ]);
  const items = waiting.rows.map(
    ({ id, key, asked_at: at }): StopRequest => ({ id, ...contactOf(key), at: at.toISOString() }),
  );
  const [total] = counts.rows;
  return { settings, pull, requests: { items, total: total?.requests ?? 0 }, erased: total?.erased ?? 0 };
}

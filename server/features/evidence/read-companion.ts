import { sql } from 'kysely';
import { ExportCompanion, type exportCompanionEndpoint } from '#contract/calling/evidence.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';

type Row = { position: number; hash: string; at: Date; kind: string; list_id: string; facts: Record<string, unknown> };

/** What stands beside the CSV file of one of the caller's exports, once it has ended whole. @throws NOT_FOUND */
export async function readCompanion(
  { deps: { db }, user }: Ctx,
  exportId: string,
): Promise<DataOf<typeof exportCompanionEndpoint>> {
  const { rows } = await sql<Row>`
    select position, encode(hash, 'hex') as hash, at, kind, list_id, facts from app.evidence as entry
    where entry.kind like 'export.%' and entry.facts ->> 'export' = ${exportId} and entry.kind <> 'export.leads'
      and entry.actor_id = ${user.userId}
    order by position
  `.execute(db);
  const begun = rows.find(({ kind }) => kind === 'export.begun');
  const ended = rows.find(({ kind, facts }) => kind === 'export.ended' && facts.complete === true);
  if (!begun || !ended) throw new AppError('NOT_FOUND', 'This export was not found, or has not ended.');
  const list = await db.selectFrom('lists').select('name').where('id', '=', begun.list_id).executeTakeFirst();
  const { filter, compliance, selected, columns, rulesAsOf, sandbox } = begun.facts;
  return ExportCompanion.parse({
    format: 'fairlead export companion 1',
    exportId,
    list: { id: begun.list_id, name: list?.name ?? '' },
    begunAt: begun.at.toISOString(),
    endedAt: ended.at.toISOString(),
    choices: { filter, compliance, selected },
    columns,
    leads: ended.facts.leads,
    sandbox,
    rulesAsOf,
    csvSha256: ended.facts.csvSha256,
    evidence: { position: ended.position, hash: ended.hash, at: ended.at.toISOString() },
    attributions: [],
  });
}

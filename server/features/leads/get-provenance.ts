import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { getProvenanceEndpoint, ProvenancePart } from '#contract/work/provenance.ts';
import type { RunKind } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { readOpenOrigins } from '#server/leads/origins/open-origins.ts';
import { notFound } from '#server/lib/app-error.ts';
import { inputOfSteps, stepsOf } from '#server/runs/public-run.ts';
import { isUuid } from '#server/runs/rows.ts';
import { readFileOrigin } from './read-file-origin.ts';
import { shownSite } from './shown-site.ts';

type Row = {
  lead_list_id: string;
  site_visit: unknown;
  sources: Record<string, string>;
  /** Null where no call brought anything. */
  part: ProvenancePart | null;
  call_id: string;
  provider: ProviderId;
  subject: string;
  at: Date;
  cost_micros: number;
  sandbox: boolean;
  run_id: string;
  kind: RunKind;
  input: unknown;
  list_id: string | null;
  list_name: string;
};

/**
 * Returns the origin of what is known about one of the caller's leads: calls, a file, its website.
 * @throws NOT_FOUND
 */
export async function getProvenance(
  { deps, user }: Ctx,
  { id }: z.output<typeof getProvenanceEndpoint.query>,
): Promise<DataOf<typeof getProvenanceEndpoint>> {
  if (!isUuid(id)) throw notFound('This lead');
  const { rows } = await sql<Row>`
    select lead.list_id as lead_list_id, lead.site_visit, lead.sources, brought.*
    from public.leads as lead join public.lists as own on own.id = lead.list_id
      left join lateral (
        select given.part, given.place, call.id as call_id, call.provider, call.subject,
          coalesce(call.settled_at, call.sent_at, call.planned_at) as at, call.cost_micros, call.sandbox, run.id as run_id, run.kind, ${inputOfSteps('run')},
          run.list_id, coalesce(list.name, run.list_name) as list_name
        from (values ('business', 1, lead.place_call_id), ('email', 2, lead.email_call_id),
            ('check', 3, nullif(lead.email_check_call_id, lead.email_call_id)), ('owner', 4, lead.owner_call_id),
            ('verdict', 5, lead.compliance_call_id)) as given (part, place, call_id)
          join app.paid_calls as call on call.id = given.call_id
          join app.runs as run on run.id = call.run_id
          left join public.lists as list on list.id = run.list_id
        where call.user_id = own.user_id
      ) as brought on true
    where lead.id = ${id} and own.user_id = ${user.userId}
    order by brought.place
  `.execute(deps.db);
  const [lead] = rows;
  if (!lead) throw notFound('This lead');
  return {
    file: await readFileOrigin(deps.db, id),
    site: await shownSite(deps.db, lead.site_visit),
    sources: lead.sources,
    open: await readOpenOrigins(deps.db, id, lead.sources),
    provenance: rows.flatMap(({ part, ...row }) =>
      part
        ? [
            {
              part,
              provider: row.provider,
              subject: row.subject,
              at: row.at.toISOString(),
              costMicros: row.cost_micros,
              sandbox: row.sandbox,
              callId: row.call_id,
              run: { id: row.run_id, kind: row.kind, ...stepsOf(row), listId: row.list_id, listName: row.list_name },
              remembered: row.list_id !== row.lead_list_id,
            },
          ]
        : [],
    ),
  };
}

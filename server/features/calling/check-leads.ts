import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { leadVerdictsEndpoint } from '#contract/calling/callability.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { judgeLeads } from '#server/calling/judge-leads.ts';
import { shownOf } from '#server/calling/shown-of.ts';
import { recordShownVerdicts } from '#server/evidence/record-shown-verdicts.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';
import { openingOf } from './judged.ts';

/**
 * Whether some leads of one of the caller's lists may be called.
 * @throws NOT_FOUND for the list; unknown leads are left out.
 */
export async function checkLeads(
  { deps, user }: Ctx,
  { listId, ids, at: time }: z.output<typeof leadVerdictsEndpoint.query>,
): Promise<DataOf<typeof leadVerdictsEndpoint>> {
  const { db } = deps;
  const list = await ownList(db, user.userId, listId);
  const at = time ? Date.parse(time) : Date.now();
  const isNamed = sql<boolean>`lead.list_id = ${list.id} and lead.id = any(${ids.split(',')}::uuid[])`;
  const judged = await judgeLeads(db, isNamed, at);
  const view = { view: 'column', actor: user.userId, list: list.id, sandbox: list.sandbox ?? false, at } as const;
  await recordShownVerdicts(deps, view, judged.map(shownOf));
  return {
    leads: judged.map(({ id, answer: { verdict, window, reasons } }) => ({
      id,
      verdict,
      ...openingOf(window),
      why: reasons[0]?.text ?? '',
    })),
  };
}

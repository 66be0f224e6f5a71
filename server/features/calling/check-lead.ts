import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod/mini';
import { createNextCall } from '#calling/next-call.ts';
import { judgeCall, NOT_CHECKED } from '#calling/verdict.ts';
import type { LeadCallability, leadCallabilityEndpoint } from '#contract/calling/callability.ts';
import type { Db } from '#db/connection/client.ts';
import { readQuestions } from '#server/calling/read-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';
import { shownOf } from '#server/calling/shown-of.ts';
import { recordShownVerdicts } from '#server/evidence/record-shown-verdicts.ts';
import type { Ctx } from '#server/http/context.ts';
import { notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';
import { AHEAD_MS, isoOf, judged } from './judged.ts';

/**
 * Whether one of the caller's leads may be called, and when it may be called next.
 * @throws NOT_FOUND
 */
export async function checkLead(
  { deps, user }: Ctx,
  { id, at: time }: z.output<typeof leadCallabilityEndpoint.query>,
): Promise<LeadCallability> {
  const { db } = deps;
  const at = time ? Date.parse(time) : Date.now();
  const isOwn = sql<boolean>`lead.id = ${isUuid(id) ? id : null}::uuid and list.user_id = ${user.userId}`;
  const terms = await readTerms(db);
  const counting = { at, rules: terms.rules };
  const [[lead], list] = await Promise.all([readQuestions(db, isOwn, counting), listOf(db, isOwn)]);
  if (!lead || !list) throw notFound('This lead');
  const answer = judgeCall({ ...lead.question, ...terms, at });
  const sandbox = lead.question.scrub.sandbox ?? false;
  const view = { view: 'lead', actor: user.userId, list, sandbox, at, isLater: time !== undefined } as const;
  await recordShownVerdicts(deps, view, [shownOf({ ...lead, answer })]);
  const next = createNextCall({ ...terms, at })(lead.question, at + AHEAD_MS);
  return {
    ...judged(answer),
    callFrom: isoOf(next?.from),
    callTo: isoOf(next?.to),
    ...(answer.window.today ? { today: answer.window.today } : {}),
    checkedOn: isoOf(lead.checkedAt),
    expiresOn: isoOf(lead.question.scrub.expiresAt),
    scope: terms.leniency.businessLandlines ? 'business_landlines' : 'every_line',
    notChecked: [...NOT_CHECKED],
  };
}

async function listOf(db: Db, isOwn: RawBuilder<boolean>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select list.id from public.leads as lead join public.lists as list on list.id = lead.list_id where ${isOwn}
  `.execute(db);
  return rows[0]?.id;
}

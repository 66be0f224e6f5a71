import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { createNextCall } from '#calling/next-call.ts';
import { NOT_CHECKED } from '#calling/not-checked.ts';
import { judgeCall } from '#calling/verdict.ts';
import type { LeadCallability, leadCallabilityEndpoint } from '#contract/calling/callability.ts';
import { readQuestions } from '#server/calling/read-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';
import type { Ctx } from '#server/http/context.ts';
import { notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';
import { isoOf, judged } from './judged.ts';

/** How far ahead the next time for a call is looked for, in ms: two weeks. */
const AHEAD_MS = 14 * 86_400_000;

/** Whether one of the caller's leads may be called, and when it may be called next. @throws NOT_FOUND. */
export async function checkLead(
  { deps: { db }, user }: Ctx,
  { id, at: time }: z.output<typeof leadCallabilityEndpoint.query>,
): Promise<LeadCallability> {
  const at = time ? Date.parse(time) : Date.now();
  const isOwn = sql<boolean>`lead.id = ${isUuid(id) ? id : null}::uuid and list.user_id = ${user.userId}`;
  const [lead] = await readQuestions(db, isOwn, at);
  if (!lead) throw notFound('This lead');
  const terms = await readTerms(db);
  const next = createNextCall({ ...terms, at })(lead.question, at + AHEAD_MS);
  return {
    ...judged(judgeCall({ ...lead.question, ...terms, at })),
    callFrom: isoOf(next?.from),
    callTo: isoOf(next?.to),
    checkedOn: isoOf(lead.checkedAt),
    expiresOn: isoOf(lead.question.scrub.expiresAt),
    scope: terms.leniency.businessLandlines ? 'business_landlines' : 'every_line',
    notChecked: [...NOT_CHECKED],
  };
}

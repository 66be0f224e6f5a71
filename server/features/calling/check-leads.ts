import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { createNextCall } from '#calling/next-call.ts';
import type { leadVerdictsEndpoint } from '#contract/calling/callability.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { type JudgedLead, judgeInParts } from '#server/calling/judge-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';
import { shownOf } from '#server/calling/shown-of.ts';
import { recordShownVerdicts } from '#server/evidence/record-shown-verdicts.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';
import { AHEAD_MS, isoOf } from './judged.ts';

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
  const terms = await readTerms(db);
  const next = createNextCall({ ...terms, at });
  const judged: Told[] = [];
  for await (const some of judgeInParts(db, isNamed, at, terms))
    judged.push(...some.map((lead) => ({ ...lead, ...timesOf(lead, next, at) })));
  const sandbox = list.sandbox ?? false;
  const view = { view: 'column', actor: user.userId, list: list.id, sandbox, at, isLater: time !== undefined } as const;
  await recordShownVerdicts(
    deps,
    view,
    judged.map(({ opensAt, closesAt, ...lead }) => ({ ...shownOf(lead), opensAt, closesAt })),
  );
  return {
    leads: judged.map(({ id, opensAt, closesAt, answer: { verdict, reasons } }) => ({
      id,
      verdict,
      opensAt,
      closesAt,
      why: reasons[0]?.text ?? '',
    })),
  };
}

type Told = JudgedLead & { opensAt: string | undefined; closesAt: string | undefined };

/** When a call may begin, or until when. Open hours are no promise: the check may run out, or the calls of a day be used up. */
function timesOf({ question, answer }: JudgedLead, next: ReturnType<typeof createNextCall>, at: number) {
  const time = next(question, at + AHEAD_MS, { answer });
  return {
    opensAt: answer.verdict === 'callable' ? undefined : isoOf(time?.from),
    closesAt: answer.verdict === 'callable' ? isoOf(time?.to) : undefined,
  };
}

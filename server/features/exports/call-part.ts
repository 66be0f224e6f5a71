import { sql } from 'kysely';
import { createNextCall } from '#calling/next-call.ts';
import { createJudge } from '#calling/verdict.ts';
import { localText } from '#calling/window/local-time.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { CallTimes, exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type LeadQuestion, readQuestions } from '#server/calling/read-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';

const HOUR_MS = 3_600_000;
/** How far ahead to look for the next time for a call when the export names no hours: two weeks. */
const AHEAD_HOURS = 14 * 24;

type Wanted = Pick<BodyOf<typeof exportLeadsEndpoint>, 'matching' | 'call_within' | 'call_times'>;

/** Creates the part of an export that says when its leads may be called. One moment counts for the whole file. */
export async function createCallPart(db: Db, { matching, call_within: hours }: Wanted) {
  const at = Date.now();
  const terms = await readTerms(db);
  const judge = createJudge({ ...terms, at });
  const next = createNextCall({ ...terms, at });
  const timesOf = ({ question, checkedAt }: LeadQuestion): CallTimes | undefined => {
    const answer = judge(question);
    const time = next(question, at + (hours ?? AHEAD_HOURS) * HOUR_MS);
    const soon = time?.isInReview ? undefined : time;
    if (matching?.call && answer.verdict !== matching.call) return undefined;
    if (hours !== undefined && !soon) return undefined;
    const zone = answer.zones[0] ?? 'UTC';
    const day = (time: number | undefined) => (time === undefined ? '' : localText(zone, time).slice(0, 10));
    return {
      status: answer.verdict,
      from: soon ? localText(zone, soon.from) : '',
      to: soon ? localText(zone, soon.to) : '',
      timeZone: answer.zones.join('; '),
      checkedOn: day(checkedAt),
      expiresOn: day(question.scrub.expiresAt),
      rule: [...new Set(answer.window.rules.map(({ citation }) => citation))].join('; '),
    };
  };
  return async (tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, CallTimes>> => {
    const leads = await readQuestions(tx, sql`lead.id = any(${ids}::uuid[])`, { at, rules: terms.rules });
    return new Map(
      leads.flatMap((lead) => {
        const times = timesOf(lead);
        return times ? [[lead.id, times] as const] : [];
      }),
    );
  };
}

export const asksForCalls = ({ matching, call_within, call_times }: Wanted): boolean =>
  matching?.call !== undefined || call_within !== undefined || call_times === true;

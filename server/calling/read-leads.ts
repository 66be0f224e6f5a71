import { setImmediate as othersTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { CallQuestion } from '#calling/verdict.ts';
import { readComplianceStatus, VERDICT_VALID_MS } from '#contract/work/compliance.ts';
import type { Db } from '#db/connection/client.ts';
import { MUST_NOT_BE_CALLED } from '#server/leads/no-calls.ts';
import { type Counting, joinRecentCalls } from '#server/leads/recent-calls.ts';
import { SUPPRESSED_AT } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';

/** Leads that are looked at before others have their turn. */
const AT_ONCE = 2_000;

type Row = {
  id: string;
  position: number;
  phone: string | null;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  line: string | null;
  status: string;
  checked_at: Date | null;
  sandbox: boolean | null;
  suppressed_at: Date | null;
  must_not_be_called: boolean;
  calls: number[] | null;
};

/** `checkedAt`: when its number was checked, in ms since 1970. */
export type LeadQuestion = { id: string; position: number; question: CallQuestion; checkedAt?: number };

/**
 * What is known of leads for a verdict at a moment, in their order, some at a time. `condition` on public.leads as `lead` and
 * public.lists as `list`.
 */
export async function* questionsInParts(
  db: Db,
  condition: RawBuilder<boolean>,
  counting: Counting,
): AsyncGenerator<LeadQuestion[]> {
  // In one statement, which PostgreSQL divides among several processes.
  const { rows } = await sql<Row>`
    select lead.id, lead.position,
      case when starts_with(lead.contact_keys[1], 'phone:') then substr(lead.contact_keys[1], 7) end as phone,
      lead.address, lead.latitude, lead.longitude, lead.phone_type as line, lead.compliance_status as status,
      lead.compliance_checked_at as checked_at, list.sandbox, ${SUPPRESSED_AT} as suppressed_at,
      ${MUST_NOT_BE_CALLED} as must_not_be_called, recent.calls
    from public.leads as lead join public.lists as list on list.id = lead.list_id
    ${joinRecentCalls(counting)}
    where ${condition}
    order by lead.position
  `.execute(db);
  for (const some of chunks(rows, AT_ONCE)) {
    yield some.map((row) => ({
      id: row.id,
      position: row.position,
      question: questionOf(row),
      ...(row.checked_at ? { checkedAt: row.checked_at.getTime() } : {}),
    }));
    if (rows.length > AT_ONCE) await othersTurn();
  }
}

/** The same, all at once: for few leads. */
export async function readQuestions(
  db: Db,
  condition: RawBuilder<boolean>,
  counting: Counting,
): Promise<LeadQuestion[]> {
  const questions: LeadQuestion[] = [];
  for await (const some of questionsInParts(db, condition, counting)) questions.push(...some);
  return questions;
}

function questionOf(row: Row): CallQuestion {
  return {
    phone: row.phone ?? undefined,
    address: row.address ?? undefined,
    coordinates:
      row.latitude === null || row.longitude === null
        ? undefined
        : { latitude: row.latitude, longitude: row.longitude },
    line: lineOf(row.line),
    scrub: scrubOf(row),
    suppressedSince: row.suppressed_at ?? undefined,
    mustNotBeCalled: row.must_not_be_called,
    calls: row.calls ?? [],
  };
}

function scrubOf({ status: stored, checked_at, sandbox }: Row): CallQuestion['scrub'] {
  const status = readComplianceStatus(stored);
  const expires = status === 'safe' || status === 'dnc';
  return {
    status,
    // A check without a date cannot be shown to be recent.
    expired: checked_at === null && status !== 'not_checked',
    checkedAt: checked_at?.getTime(),
    ...(checked_at && expires ? { expiresAt: checked_at.getTime() + VERDICT_VALID_MS } : {}),
    sandbox: sandbox ?? false,
  };
}

/** What a provider calls a line. A number over the internet may be either. */
export const lineOf = (type: string | null | undefined): CallQuestion['line'] =>
  type === 'mobile' || type === 'landline' ? type : 'unknown';

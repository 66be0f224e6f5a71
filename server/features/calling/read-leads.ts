import { type RawBuilder, sql } from 'kysely';
import type { CallQuestion } from '#calling/verdict.ts';
import { isVerdictOver, readComplianceStatus } from '#contract/work/compliance.ts';
import type { Db } from '#db/connection/client.ts';
import { SUPPRESSED_AT } from '#server/leads/suppressed.ts';

type Row = {
  id: string;
  phone: string | null;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  line: string | null;
  status: string;
  checked_at: Date | null;
  sandbox: boolean | null;
  suppressed_at: Date | null;
};

export type LeadQuestion = { id: string; question: CallQuestion };

/** What is known of leads for a verdict. `condition` on public.leads as `lead` and public.lists as `list`. `at` in ms since 1970. */
export async function readQuestions(db: Db, condition: RawBuilder<boolean>, at: number): Promise<LeadQuestion[]> {
  const { rows } = await sql<Row>`
    select lead.id, case when starts_with(lead.contact_keys[1], 'phone:') then substr(lead.contact_keys[1], 7) end as phone,
      lead.address, lead.latitude, lead.longitude, lead.phone_type as line, lead.compliance_status as status,
      lead.compliance_checked_at as checked_at, list.sandbox, ${SUPPRESSED_AT} as suppressed_at
    from public.leads as lead join public.lists as list on list.id = lead.list_id
    where ${condition}
  `.execute(db);
  return rows.map((row) => ({ id: row.id, question: questionOf(row, at) }));
}

function questionOf(row: Row, at: number): CallQuestion {
  const status = readComplianceStatus(row.status);
  const isUndated = row.checked_at === null && status !== 'not_checked';
  return {
    phone: row.phone ?? undefined,
    address: row.address ?? undefined,
    ...(row.latitude === null || row.longitude === null
      ? {}
      : { coordinates: { latitude: row.latitude, longitude: row.longitude } }),
    line: lineOf(row.line),
    scrub: {
      status,
      // A check without a date cannot be shown to be recent.
      expired: isUndated || isVerdictOver(status, row.checked_at?.getTime() ?? 0, at),
      sandbox: row.sandbox ?? false,
    },
    suppressedSince: row.suppressed_at ?? undefined,
  };
}

/** What a provider calls a line. A number over the internet may be either. */
export const lineOf = (type: string | null | undefined): CallQuestion['line'] =>
  type === 'mobile' || type === 'landline' ? type : 'unknown';

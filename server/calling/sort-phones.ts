import { sql } from 'kysely';
import { isVerdictOver, readComplianceStatus, VERDICT_VALID_MS } from '#contract/work/compliance.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { idsOf } from '#server/leads/ids-of.ts';
import { inParts } from '#server/leads/in-parts.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { readPhone } from './us-number.ts';

/** A list's leads, or some of them, by their number. */
export type LeadsByNumber = {
  leads: number;
  /** How many are on the suppression list. They are in none of the others. */
  suppressed: number;
  /** Lead ids. */
  withoutPhone: string[];
  notUs: string[];
  /** Lead ids by 10 digits. */
  numbers: Map<string, string[]>;
  /** Numbers of which at least one lead has no verdict, or one that has run out. */
  open: number;
  /** Those of them with a lead whose verdict has run out. */
  expired: number;
  /** When the first of the verdicts runs out; null where none ever does. */
  expiresAt: Date | null;
};

type Row = {
  id: string;
  position: number;
  phone: string | null;
  key: string | null;
  compliance_status: string;
  compliance_checked_at: Date | null;
  suppressed: boolean;
};

/** Sorts the leads of a list by their number. `leadIds`: only these leads. */
export async function sortPhones(db: Db | Tx, listId: string, leadIds?: readonly string[]): Promise<LeadsByNumber> {
  const parts = inParts(async ({ behind, most }) => {
    const { rows } = await sql<Row>`
      ${KEPT} select lead.id, lead.position, lead.phone, lead.contact_keys[1] as key, lead.compliance_status, lead.compliance_checked_at, 
        ${IS_SUPPRESSED} as suppressed
      from public.leads as lead
      where lead.list_id = ${listId} and ${leadIds ? sql`lead.id = any(${leadIds}::uuid[])` : sql`true`} and ${behind}
      order by lead.position limit ${most}
    `.execute(db);
    return rows;
  }, leadIds);
  const sorted: LeadsByNumber = {
    leads: 0,
    suppressed: 0,
    withoutPhone: [],
    notUs: [],
    numbers: new Map(),
    open: 0,
    expired: 0,
    expiresAt: null,
  };
  const open = new Set<string>();
  const expired = new Set<string>();
  let oldest = Number.POSITIVE_INFINITY;
  const now = Date.now();
  const add = ({ id, phone, key, compliance_status, compliance_checked_at: checkedAt, suppressed }: Row): void => {
    sorted.leads += 1;
    if (suppressed) {
      sorted.suppressed += 1;
      return;
    }
    const found = readPhone(phone);
    if (found.kind === 'none') sorted.withoutPhone.push(id);
    // What the suppression list reads differently might be on it.
    else if (found.kind === 'foreign' || key !== `phone:+1${found.number}`) sorted.notUs.push(id);
    else {
      idsOf(sorted.numbers, found.number).push(id);
      const verdict = readComplianceStatus(compliance_status);
      const isOver = isVerdictOver(verdict, checkedAt?.getTime() ?? now, now);
      if (checkedAt && (verdict === 'safe' || verdict === 'dnc')) oldest = Math.min(oldest, checkedAt.getTime());
      // The sweep removes a verdict that has run out, and leaves its time.
      if (isOver || (checkedAt && verdict === 'not_checked')) expired.add(found.number);
      if (isOver || verdict === 'not_checked') open.add(found.number);
    }
  };
  for await (const rows of parts) rows.forEach(add);
  sorted.open = open.size;
  sorted.expired = expired.size;
  if (Number.isFinite(oldest)) sorted.expiresAt = new Date(oldest + VERDICT_VALID_MS);
  return sorted;
}

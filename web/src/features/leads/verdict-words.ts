import { VERDICT_VALID_MS } from '#contract/work/compliance.ts';
import { hasExpiredVerdict, type Lead } from '#contract/work/leads.ts';
import { formatDate, formatTime } from '#web/lib/format/format.ts';

type Verdict = Pick<Lead, 'complianceStatus' | 'complianceCheckedAt'>;

/** When a number was checked, and until when that may be relied on; nothing for one that has not been. */
export function verdictAge(lead: Verdict): string {
  const at = lead.complianceCheckedAt;
  if (!at) return '';
  const expires = formatDate(new Date(Date.parse(at) + VERDICT_VALID_MS).toISOString());
  if (hasExpiredVerdict(lead)) return `Checked ${formatTime(at)}, expired ${expires}`;
  return lead.complianceStatus === 'litigator'
    ? `Checked ${formatTime(at)}, does not expire`
    : `Checked ${formatTime(at)}, expires ${expires}`;
}

/** Against what SearchBug checks a number; nothing for one that has not been. */
export const checkedAgainst = ({ complianceCheckedAt }: Verdict): string =>
  complianceCheckedAt ? 'Against the federal and state do-not-call lists, and numbers used in TCPA litigation' : '';

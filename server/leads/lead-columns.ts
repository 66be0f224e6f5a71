import { sql } from 'kysely';
import type { LeadRow } from '#contract/work/leads.ts';

/** What the contract has of a lead, in a query where public.leads is called `lead`. */
export const LEAD_COLUMNS = sql`
  lead.id, lead.position, lead.business_name, lead.address, lead.phone, lead.website, lead.email, lead.email_confidence,
  lead.owner_name, lead.owner_title, lead.email_verified, lead.email_status, lead.email_checked_at, lead.phone_type, lead.compliance_status, lead.compliance_reason,
  lead.compliance_checked_at, lead.service_area`;

export type StoredLead = Omit<LeadRow, 'compliance_checked_at' | 'email_checked_at' | 'position'> & {
  position: number;
  compliance_checked_at: Date | null;
  email_checked_at: Date | null;
};

export const toLeadRow = ({ compliance_checked_at, email_checked_at, ...row }: StoredLead): LeadRow => ({
  ...row,
  compliance_checked_at: compliance_checked_at?.toISOString() ?? null,
  email_checked_at: email_checked_at?.toISOString() ?? null,
});

import { z } from 'zod/mini';
import { type ComplianceStatus, EXPIRED_REASON, isVerdictOver, readComplianceStatus } from './compliance.ts';
import { EmailStatus } from './email-status.ts';

const text = z.nullish(z.string());

/** A row of table leads, as the data API answers it. */
export const LeadRow = z.object({
  id: z.string(),
  list_id: z.optional(z.string()),
  position: z.optional(z.number()),
  business_name: z._default(z.string(), ''),
  address: text,
  phone: text,
  website: text,
  email: text,
  email_confidence: z.nullish(z.number()),
  owner_name: text,
  owner_title: text,
  email_verified: z.nullish(z.boolean()),
  email_status: text,
  email_checked_at: text,
  phone_type: text,
  compliance_status: text,
  compliance_reason: text,
  compliance_checked_at: text,
  service_area: z.nullish(z.boolean()),
});
export type LeadRow = z.infer<typeof LeadRow>;

/** A lead as the browser works with it. */
export type Lead = {
  id: string;
  businessName: string;
  phone: string;
  address: string;
  website: string;
  email: string;
  /** Percent. */
  emailConfidence: number | undefined;
  ownerName: string;
  ownerTitle: string;
  emailVerified: boolean | undefined;
  /** What Hunter said of the email, and when; undefined where no one knows. */
  emailStatus: EmailStatus | undefined;
  emailCheckedAt: string | undefined;
  phoneType: string;
  complianceStatus: ComplianceStatus;
  /** Why a number has no verdict. */
  complianceReason: string;
  complianceCheckedAt: string | undefined;
  /** A business without a storefront: its distance is not known. */
  serviceArea: boolean;
};

/** Whether a lead had a verdict that has run out: only such a one has a time without a verdict. */
export const hasExpiredVerdict = (lead: Pick<Lead, 'complianceStatus' | 'complianceCheckedAt'>): boolean =>
  lead.complianceStatus === 'not_checked' && lead.complianceCheckedAt !== undefined;

/** `now` in ms since 1970: what was checked too long ago counts as not checked. A litigator stays one. */
export function readLead(row: LeadRow, { now = Date.now() }: { now?: number } = {}): Lead {
  const verdict = readComplianceStatus(row.compliance_status);
  const checkedAt = row.compliance_checked_at ? Date.parse(row.compliance_checked_at) : now;
  const expired = isVerdictOver(verdict, checkedAt, now);
  return {
    id: row.id,
    businessName: row.business_name,
    phone: row.phone ?? '',
    address: row.address ?? '',
    website: row.website ?? '',
    email: row.email ?? '',
    emailConfidence: row.email_confidence ?? undefined,
    ownerName: row.owner_name ?? '',
    ownerTitle: row.owner_title ?? '',
    emailVerified: row.email_verified ?? undefined,
    emailStatus: row.email_status ? EmailStatus.safeParse(row.email_status).data : undefined,
    emailCheckedAt: row.email_checked_at ?? undefined,
    phoneType: row.phone_type ?? '',
    complianceStatus: expired ? 'not_checked' : verdict,
    complianceReason: expired ? EXPIRED_REASON : (row.compliance_reason ?? ''),
    complianceCheckedAt: row.compliance_checked_at ?? undefined,
    serviceArea: row.service_area ?? false,
  };
}

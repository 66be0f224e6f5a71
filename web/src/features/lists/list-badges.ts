import type { LeadList } from '#contract/work/lists.ts';
import { retentionBadge } from '#contract/work/retention.ts';

/** `progress` is work under way; the tones are those of a status badge. */
export type ListBadge = {
  label: string;
  tone: 'neutral' | 'info' | 'success' | 'warning' | 'danger';
  kind: 'progress' | 'failure' | 'tier' | 'compliance' | 'retention' | 'sandbox';
};

const hasEmails = (list: LeadList): boolean => list.tier2Complete || list.hasEmails;
const hasContacts = (list: LeadList): boolean => list.tier3Complete || list.tier2Complete || list.hasContacts;

const PROGRESS: ListBadge = { label: 'Data Processing', tone: 'info', kind: 'progress' };
const FAILURE: ListBadge = { label: 'Enrichment Failed', tone: 'danger', kind: 'failure' };
const COMPLIANCE: ListBadge = { label: 'Compliance', tone: 'success', kind: 'compliance' };
const SANDBOX: ListBadge = { label: 'Sandbox data', tone: 'warning', kind: 'sandbox' };
const tier = (label: string): ListBadge => ({ label, tone: 'neutral', kind: 'tier' });

const statusBadges = (list: LeadList): ListBadge[] => {
  if (list.status === 'processing') return [PROGRESS];
  return list.status === 'failed' ? [FAILURE] : [];
};

/** The badges of a list's card, in order, at `now` (ms since 1970). */
export function cardBadges(list: LeadList, now: number): ListBadge[] {
  const badges = statusBadges(list);
  if (list.tier1Complete) badges.push(tier('Basic'));
  if (hasEmails(list)) badges.push(tier('Emails'));
  if (hasContacts(list)) badges.push(tier('Contacts'));
  if (list.complianceChecked) badges.push(COMPLIANCE);
  if (list.sandbox) badges.push(SANDBOX);
  const retention = retentionBadge(list, now);
  if (retention) badges.push({ label: retention, tone: 'warning', kind: 'retention' });
  return badges;
}

/** The badges of the list page's header: each contact badge names the tier that its data came with. */
export function detailBadges(list: LeadList, now: number): ListBadge[] {
  const badges = statusBadges(list);
  if (list.tier3Complete) badges.push(tier('Contacts (Tier 3)'));
  if (hasEmails(list)) badges.push(tier('Emails (Tier 2)'));
  if (!list.tier3Complete && hasContacts(list)) badges.push(tier('Contacts (Tier 2)'));
  if (list.complianceChecked) badges.push(COMPLIANCE);
  if (list.sandbox) badges.push(SANDBOX);
  const retention = retentionBadge(list, now);
  if (retention) badges.push({ label: retention, tone: 'warning', kind: 'retention' });
  return badges;
}

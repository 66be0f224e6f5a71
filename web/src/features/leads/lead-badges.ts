import type { ComplianceStatus } from '#contract/work/compliance.ts';

export type StatusTone = 'success' | 'warning' | 'danger';

/** Confidence from which an email is green, and from which yellow, in percent (spec section 9). */
const CONFIDENT = 90;
const LIKELY = 70;

/** Color of an email's confidence, in percent. */
export function confidenceTone(percent: number): StatusTone {
  if (percent >= CONFIDENT) return 'success';
  return percent >= LIKELY ? 'warning' : 'danger';
}

const TONES: Record<ComplianceStatus, StatusTone> = {
  safe: 'success',
  dnc: 'danger',
  litigator: 'danger',
  not_checked: 'warning',
};

const LABELS: Record<ComplianceStatus, string> = {
  safe: 'Clean',
  dnc: 'Do not call',
  litigator: 'Litigator',
  not_checked: 'Not checked',
};

/** How a verdict is shown: green for clean, red for listed, yellow for unchecked. */
export const complianceBadge = (status: ComplianceStatus) => ({
  label: LABELS[status],
  tone: TONES[status],
});

const PHONE_TYPES: Readonly<Record<string, string>> = { voip: 'VoIP', toll_free: 'Toll-free' };

/** A kind of line as people write it: Mobile, Landline, VoIP. */
export function phoneTypeText(type: string): string {
  const words = type.replaceAll('_', ' ').toLowerCase();
  return PHONE_TYPES[type.toLowerCase()] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** A website's address if it may be opened: http and https only, so that no script hides behind a link. */
export function safeWebsite(website: string): string | undefined {
  const text = website.trim();
  if (text === '') return undefined;
  try {
    const url = new URL(/^[a-z][a-z\d+.-]*:/i.test(text) && !/^[^/]+:\d+(\/|$)/.test(text) ? text : `https://${text}`);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

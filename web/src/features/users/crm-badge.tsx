import type { AdminUser } from '#contract/admin/users.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import type { Tone } from '#web/ui/feedback/tone.ts';

const LOOKS: Record<NonNullable<AdminUser['keap_tag_status']>, { tone: Tone; label: string }> = {
  granted: { tone: 'success', label: 'Granted' },
  NO_CONTACT: { tone: 'danger', label: 'No contact' },
  MISSING_TAG: { tone: 'danger', label: 'Missing tag' },
  KEAP_ERROR: { tone: 'warning', label: 'Keap error' },
};

/** What the gate last heard from the CRM about someone. */
export function CrmBadge({ status }: { status: AdminUser['keap_tag_status'] }) {
  if (!status) return <Badge>Not checked</Badge>;
  const { tone, label } = LOOKS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

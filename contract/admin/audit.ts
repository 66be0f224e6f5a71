import { z } from 'zod/mini';
import { isoTime } from '#contract/dates.ts';
import { endpoint } from '#contract/endpoint.ts';

/** What the audit log can be narrowed to. */
export const AUDIT_GROUPS = ['access', 'users', 'keys', 'crm', 'training', 'calling', 'data'] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number];

export const AUDIT_GROUP_LABELS: Record<AuditGroup, string> = {
  access: 'Sign-in',
  users: 'Users and invitations',
  keys: 'Provider keys',
  crm: 'CRM',
  training: 'Training videos',
  calling: 'Calling rules',
  data: 'Exports, deletion, suppression and evidence',
};

/** Everything that is written down, in words. */
export const AUDIT_ACTIONS = {
  'session.signed_in': { group: 'access', label: 'Signed in' },
  'session.signed_out': { group: 'access', label: 'Signed out' },
  'session.ended': { group: 'access', label: 'Session ended' },
  'session.proven': { group: 'access', label: 'Identity confirmed' },
  'session.stepped_up': { group: 'access', label: 'Second step completed' },
  'session.reuse_detected': { group: 'access', label: 'Old sign-in token used again' },
  'access.second_step_required': { group: 'access', label: 'Two-step sign-in required' },
  'access.session_ends_set': { group: 'access', label: 'Session limits changed' },
  'access.refused': { group: 'access', label: 'Access refused' },
  'access.refusals_unrecorded': { group: 'access', label: 'More refusals than the log records' },
  'identity.linked': { group: 'access', label: 'Identity linked' },
  'identity.unlinked': { group: 'access', label: 'Identity unlinked' },
  'user.role_changed': { group: 'users', label: 'Role changed' },
  'user.status_changed': { group: 'users', label: 'Status changed' },
  'user.administered': { group: 'users', label: 'Account managed through the admin API' },
  'user.factor_added': { group: 'users', label: 'Second step added' },
  'user.factor_removed': { group: 'users', label: 'Second step removed' },
  'user.recovery_codes_made': { group: 'users', label: 'Recovery codes made' },
  'user.recovery_codes_removed': { group: 'users', label: 'Recovery codes removed' },
  'user.second_step_reset': { group: 'users', label: 'Second step reset' },
  'user.email_changed': { group: 'users', label: 'Email address changed' },
  'user.phone_changed': { group: 'users', label: 'Phone number changed' },
  'budget.set': { group: 'users', label: 'Budgets set' },
  'invitation.sent': { group: 'users', label: 'Invitation sent' },
  'invitation.withdrawn': { group: 'users', label: 'Invitation withdrawn' },
  'key.saved': { group: 'keys', label: 'Provider key saved' },
  'key.removed': { group: 'keys', label: 'Provider key removed' },
  'crm.credentials_saved': { group: 'crm', label: 'CRM credentials saved' },
  'crm.connected': { group: 'crm', label: 'CRM connected' },
  'crm.connect_failed': { group: 'crm', label: 'CRM not connected' },
  'crm.failures_unrecorded': { group: 'crm', label: 'More failed connections than the log records' },
  'crm.disconnected': { group: 'crm', label: 'CRM disconnected' },
  'crm.tags_required': { group: 'crm', label: 'Required tags added' },
  'crm.tag_not_required': { group: 'crm', label: 'Required tag removed' },
  'training.saved': { group: 'training', label: 'Training video saved' },
  'training.deleted': { group: 'training', label: 'Training video deleted' },
  'training.loading_set': { group: 'training', label: 'Training video loading changed' },
  'calling.scope_set': { group: 'calling', label: 'Calling rule scope changed' },
  'calling.rule_added': { group: 'calling', label: 'Calling rule added' },
  'calling.rule_ended': { group: 'calling', label: 'Calling rule ended' },
  'import.started': { group: 'data', label: 'File imported' },
  'import.undone': { group: 'data', label: 'Import undone' },
  'suppression.added': { group: 'data', label: 'Contact suppressed' },
  'suppression.imported': { group: 'data', label: 'Contacts suppressed from a file' },
  'suppression.asked': { group: 'data', label: 'Contact suppressed by the person' },
  'suppression.decided': { group: 'data', label: 'Public page request decided' },
  'suppression.sources_set': { group: 'data', label: 'Suppression sources changed' },
  'contact.erased': { group: 'data', label: 'Contact erased' },
  'open_data.loaded': { group: 'data', label: 'Open data loaded' },
  'open_data.removed': { group: 'data', label: 'Open data removed' },
  'suppression.removed': { group: 'data', label: 'Suppression removed' },
  'evidence.packed': { group: 'data', label: 'Evidence pack downloaded' },
  'evidence.mail_set': { group: 'data', label: 'Daily evidence mail set' },
  'account.exported': { group: 'data', label: 'Own data downloaded' },
  'usage.exported': { group: 'data', label: 'Ledger downloaded' },
  'account.deleted': { group: 'data', label: 'Account deleted' },
  'audit.exported': { group: 'data', label: 'Audit log downloaded' },
} as const satisfies Record<string, { group: AuditGroup; label: string }>;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

const known: Readonly<Record<string, { label: string }>> = AUDIT_ACTIONS;

/** An action in words; one that is not known here, such as a later version's, by the words of its code. */
export const auditLabel = (action: string): string => known[action]?.label ?? action.replaceAll(/[._]/g, ' ');

/** A line of the audit log. `at` is an ISO time, `ip` where it came from; addresses of accounts are those of today. */
export const AuditLine = z.object({
  id: z.number(),
  at: z.string(),
  /** Null for what no one signed in did. `email` is null once the account is gone. */
  actor: z.nullable(z.object({ id: z.nullable(z.string()), email: z.nullable(z.string()) })),
  action: z.string(),
  /** An id, an address or a name. */
  target: z.nullable(z.string()),
  /** The address of the account that `target` names. */
  targetEmail: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
  ip: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
});
export type AuditLine = z.infer<typeof AuditLine>;

/** Lines on a page. */
export const AUDIT_PAGE_SIZE = 50;

const searchText = z.optional(z.string().check(z.trim(), z.maxLength(320)));
const time = (name: string) => z.optional(isoTime(`${name} must be a time such as 2026-11-21T09:00:00Z.`));

/** `actor` and `target`: what the address, id or name begins with. `from` is included, `to` is not. */
const FILTER = {
  group: z.optional(z.enum(AUDIT_GROUPS)),
  actor: searchText,
  target: searchText,
  from: time('from'),
  to: time('to'),
};
export const AuditFilter = z.object(FILTER);
export type AuditFilter = z.infer<typeof AuditFilter>;

/** The newest lines first; `next` is the `before` of the page that follows, null on the last. */
export const listAuditEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  reads: true,
  access: 'admin',
  query: z.object({
    ...FILTER,
    before: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'before must be a line number.'))),
  }),
  data: z.object({ items: z.array(AuditLine), next: z.nullable(z.string()) }),
});

/** Returns the lines as a CSV file and not in the envelope of other calls. */
export const exportAuditEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/audit.csv',
  growsWith: 'account',
  access: 'admin',
  query: AuditFilter,
  data: z.string(),
});

export const auditFileName = (day: Date): string => `fairlead-audit-${day.toISOString().slice(0, 10)}.csv`;

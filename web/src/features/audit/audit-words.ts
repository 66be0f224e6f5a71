import { AUDIT_GROUP_LABELS, type AuditLine } from '#contract/admin/audit.ts';
import { TRAINING_PAGE_LABELS } from '#contract/admin/training.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { formatHours, formatMoney, plural } from '#web/lib/format/format.ts';

const PROVIDERS = Object.fromEntries(Object.values(PROVIDER_CATALOGUE).map(({ id, name }) => [id, name]));

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: { user: 'User', admin: 'Admin' },
  status: { active: 'Active', disabled: 'Disabled' },
  loading: { after_click: 'after a click on Play', at_once: 'when their dialog opens' },
  factor: { totp: 'authenticator app', phone: 'text message', recovery_code: 'recovery code' },
  group: AUDIT_GROUP_LABELS,
  money: { real: 'real money', sandbox: 'sandbox money' },
  way: {
    link: 'by link',
    code: 'by code',
    oauth: 'with an account elsewhere',
    carried_over: 'with a session from before the move',
  },
  scope: { global: 'everywhere', local: 'here', others: 'everywhere else' },
  reason: {
    NO_CONTACT: 'this address has no invitation and no CRM contact',
    MISSING_TAG: 'a required tag is missing',
    KEAP_ERROR: 'Keap could not be checked',
    DISABLED: 'the account is disabled',
    expired: 'the attempt was too old',
    session: 'it was started in another session',
    denied: 'access was denied in Keap',
    credentials: 'Keap did not accept the credentials',
    refused: 'Keap refused',
    unreachable: 'Keap could not be reached',
  },
  at: {
    precheck: 'when asking for a link',
    link: 'when asking for a link',
    sign_in: 'when opening a link or using a code',
    refresh: 'while signed in',
  },
};

const NAMES: Readonly<Record<string, string>> = {
  ...PROVIDERS,
  ...TRAINING_PAGE_LABELS,
  keap: 'Keap',
  'audit log': 'the audit log',
  everybody: 'Everyone',
  admins: 'Administrators',
  optional: 'No one',
  every_line: 'every line',
  business_landlines: 'verified business landlines',
};

const LABELS: Readonly<Record<string, string>> = {
  at: 'When',
  last_four: 'Ends in',
  isActive: 'Active',
  embedCode: 'Embed code',
  tag_ids: 'Tag IDs',
  session_id: 'Session',
  act: 'What was done',
  recorded_this_hour: 'Recorded this hour',
};

/** What the details that are counts count. */
const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  rows: ['row', 'rows'],
  removed: ['lead', 'leads'],
  added: ['entry', 'entries'],
  leads: ['lead', 'leads'],
  files: ['file', 'files'],
  places: ['place', 'places'],
};

/** A detail's value in words. */
export function detailText(name: string, value: unknown): string {
  const counted = COUNTED[name];
  if (typeof value === 'number' && counted) return plural(value, ...counted);
  if (typeof value === 'number' && name.endsWith('_hours')) return formatHours(value);
  if (typeof value === 'string') return WORDS[name]?.[value] ?? value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((one) => detailText(name, one)).join(', ');
  if (typeof value === 'object' && value !== null && name === 'limits') return limitsText(value);
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Budgets as they were set, in micro-dollars: each month $6.00, Hunter.io no limit. */
const limitsText = (limits: object): string =>
  Object.entries(limits)
    .map(([id, micros]) => {
      const budget = PROVIDERS[id] ?? (id === 'run' ? 'each run' : `each ${id}`);
      return `${budget} ${typeof micros === 'number' ? formatMoney(micros) : 'no limit'}`;
    })
    .join(', ');

/** A detail's name in words: connection_ended → Connection ended. */
export function detailLabel(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const UUID = /^[\da-f]{8}-/;
const shortId = (id: string): string => `Account ${id.slice(0, 8)}…`;

/** Who did it. Of a deleted account the beginning of its id is left. */
export function actorText({ actor }: Pick<AuditLine, 'actor'>): string {
  if (!actor) return 'Someone not signed in';
  return actor.email ?? (actor.id ? shortId(actor.id) : 'Unknown');
}

/** To whom or what. */
export function targetText({
  actor,
  target,
  targetEmail,
}: Pick<AuditLine, 'actor' | 'target' | 'targetEmail'>): string {
  if (!target) return 'nothing in particular';
  if (actor?.id === target) return 'their own account';
  return targetEmail ?? NAMES[target] ?? (UUID.test(target) ? shortId(target) : target);
}

import type { AuditLine } from '#contract/audit.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { TRAINING_PAGE_LABELS } from '#contract/training.ts';

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: { user: 'User', admin: 'Admin' },
  status: { active: 'Active', disabled: 'Disabled' },
  way: {
    link: 'by link',
    code: 'by code',
    oauth: 'by an identity of somebody else',
    carried_over: 'by a session from before the move',
  },
  scope: { global: 'everywhere', local: 'here', others: 'everywhere else' },
  reason: {
    NO_CONTACT: 'not known here',
    MISSING_TAG: 'required tag missing',
    KEAP_ERROR: 'Keap could not be asked',
    DISABLED: 'account disabled',
  },
  at: {
    precheck: 'asking for a link',
    link: 'asking for a link',
    sign_in: 'opening a link or using a code',
    refresh: 'going on with a session',
  },
};

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(PROVIDER_CATALOGUE).map(({ id, name }) => [id, name])),
  ...TRAINING_PAGE_LABELS,
  keap: 'Keap',
  'audit log': 'Audit log',
  everybody: 'Everybody',
};

/** A detail's value in words. */
export function detailText(name: string, value: unknown): string {
  if (typeof value === 'string') return WORDS[name]?.[value] ?? value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}

/** A detail's name in words: tag_ids → Tag ids, isActive → Is active. */
export function detailLabel(name: string): string {
  if (name === 'at') return 'While';
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What matters most of the details, in a few words, or nothing. */
export function summaryOf({ details }: Pick<AuditLine, 'details'>): string {
  const { role, status, way, scope, reason, last_four: lastFour, title, tags } = details;
  if (role !== undefined) return `as ${detailText('role', role)}`;
  if (status !== undefined) return `to ${detailText('status', status)}`;
  if (typeof lastFour === 'string') return `ends in ${lastFour}`;
  if (typeof title === 'string') return title;
  if (Array.isArray(tags)) return detailText('tags', tags);
  for (const [name, value] of Object.entries({ way, scope, reason })) if (value) return detailText(name, value);
  return '';
}

const UUID = /^[\da-f]{8}-/;
const shortId = (id: string): string => `Account ${id.slice(0, 8)}…`;

/** Who did it. Of a deleted account the beginning of its id is left. */
export function actorText({ actor }: Pick<AuditLine, 'actor'>): string {
  if (!actor) return 'Nobody signed in';
  return actor.email ?? (actor.id ? shortId(actor.id) : 'Unknown');
}

/** To whom or what. */
export function targetText({
  actor,
  target,
  targetEmail,
}: Pick<AuditLine, 'actor' | 'target' | 'targetEmail'>): string {
  if (!target) return '–';
  if (actor?.id === target) return 'Own account';
  return targetEmail ?? NAMES[target] ?? (UUID.test(target) ? shortId(target) : target);
}

import type { CrmPull } from '#contract/calling/suppression-sources.ts';
import { formatMoment, plural } from '#web/lib/format/format.ts';

const STATES: Record<CrmPull['state'], string> = {
  off: 'Nothing is imported from Keap.',
  not_connected: 'Keap is not connected. Connect it in Admin Settings.',
  idle: 'Keap has not been asked yet.',
  waiting: 'Keap is asked in a moment.',
  running: 'Keap is being asked now.',
};

/** How the pull stands, in one sentence or two. */
export function pullText(pull: CrmPull): string {
  const { state, endedAt, contacts, addresses, added } = pull;
  if (state === 'running') return `${STATES.running} So far: ${broughtText({ contacts, addresses, added })}.`;
  if (state !== 'idle' || endedAt === null) return STATES[state];
  return `Last asked ${formatMoment(endedAt)}: ${broughtText({ contacts, addresses, added })}.`;
}

/** Why what is here is not all that Keap knows; nothing after a pull that ended well. */
export function failureText({ failure, completeAt }: CrmPull): string | undefined {
  if (failure === null) return undefined;
  const since =
    completeAt === null ? 'None has been complete so far.' : `The last complete one was ${formatMoment(completeAt)}.`;
  return `${failure} Some people who opted out may be missing. ${since}`;
}

const broughtText = ({ contacts, addresses, added }: Pick<CrmPull, 'contacts' | 'addresses' | 'added'>): string =>
  `${plural(contacts, 'contact')} with the tag, ${plural(addresses, 'address', 'addresses')} asked about, ${plural(added, 'new entry', 'new entries')}`;

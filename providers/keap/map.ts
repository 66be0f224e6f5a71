import type { z } from 'zod/mini';
import {
  type CrmContact,
  type CrmContactPage,
  type CrmEmailStatus,
  type CrmTagPage,
  MOST_CRM_IDS,
  ProviderError,
} from '#providers/provider.ts';
import type { wireContacts, wireEmailStatus, wireReachable, wireTaggedContacts, wireTags } from './api-types.ts';

/**
 * Returns the filter that finds contacts by address. Its grammar has separators, wildcards and lists, and no way to escape them.
 * An address with one of those signs is refused rather than asked about as something else.
 */
export function emailFilter(email: string): string {
  if (!/^[^\s@;*,()"\\<>]+@[^\s@;*,()"'\\<>=]+$/.test(email) || email.includes('=='))
    throw new ProviderError('keap', 'bad_request', 'Keap cannot look up an address with these characters.');
  return `email==${email}`;
}

/** The tags of all contacts that really have this address, whatever else a search may have found; undefined when none has. */
export function toTagIds({ contacts }: z.output<typeof wireContacts>, email: string): string[] | undefined {
  const asked = email.toLowerCase();
  const theirs = contacts.filter((contact) =>
    contact.email_addresses?.some((one) => one.email?.trim().toLowerCase() === asked),
  );
  if (theirs.length === 0) return undefined;
  return [...new Set(theirs.flatMap((contact) => contact.tag_ids ?? []))];
}

/** Ids are digits: nothing else may enter the filter. */
export function idsFilter(ids: readonly string[]): string {
  if (ids.length === 0 || ids.length > MOST_CRM_IDS || !ids.every((id) => /^\d{1,20}$/.test(id)))
    throw new ProviderError('keap', 'bad_request', 'Keap cannot look up these contacts.');
  return `ids==${ids.join(',')}`;
}

export const toContactPage = ({
  contacts,
  next_page_token: next,
}: z.output<typeof wireTaggedContacts>): CrmContactPage => ({
  ids: contacts.map(({ id }) => id),
  ...(next ? { nextPageToken: next } : {}),
});

/** Only those that were asked for, whatever else a search may have found. */
export const toContacts = ({ contacts }: z.output<typeof wireReachable>, asked: readonly string[]): CrmContact[] =>
  contacts
    .filter(({ id }) => asked.includes(id))
    .map(({ id, email_addresses: emails, phone_numbers: phones }) => ({
      id,
      emails: (emails ?? []).flatMap(({ email }) => email?.trim() || []),
      phones: (phones ?? []).flatMap(({ number, number_e164: e164 }) => e164?.trim() || number?.trim() || []),
    }));

/** Statuses of those who may be mailed, and of those who only have not read anything for long. */
const GO_ON = new Set([
  'UNENGAGED_MARKETABLE',
  'SINGLE_OPT_IN',
  'DOUBLE_OPT_IN',
  'CONFIRMED',
  'UNENGAGED_NON_MARKETABLE',
]);
/**
 * Statuses that mean "stop".
 * - The person said so, or complained: LIST_UNSUBSCRIBE, MANUAL, FEEDBACK, SPAM, LOCKDOWN.
 * - Keap or its administrators decided it: NON_MARKETABLE, ADMIN, SYSTEM.
 * - No mail arrives there: HARD_BOUNCE, INVALID, DEACTIVATED. A soft BOUNCE may pass.
 */
const STOP = new Set([
  'NON_MARKETABLE',
  'LOCKDOWN',
  'HARD_BOUNCE',
  'MANUAL',
  'ADMIN',
  'SYSTEM',
  'LIST_UNSUBSCRIBE',
  'FEEDBACK',
  'SPAM',
  'INVALID',
  'DEACTIVATED',
]);
const SOFT = new Set(['BOUNCE']);

/**
 * A status that is not known here stops where the address is not opted in.
 * @throws ProviderError `unknown_shape` where such a status says nothing else, or for another address than was asked about
 */
export function toEmailStatus(wire: z.output<typeof wireEmailStatus>, asked: string): CrmEmailStatus {
  const { status } = wire;
  if (wire.email.trim().toLowerCase() !== asked.trim().toLowerCase()) throw unclear();
  if (STOP.has(status)) return { stops: true, status };
  if (GO_ON.has(status) || SOFT.has(status)) return { stops: false, status };
  if (typeof wire.opted_in !== 'boolean') throw unclear();
  return { stops: !wire.opted_in, status };
}

const unclear = () =>
  new ProviderError('keap', 'unknown_shape', 'Keap sent a response that could not be read. Try again later.');

/** A tag without a name is shown by its number. */
export function toTagPage({ tags, next_page_token: next }: z.output<typeof wireTags>): CrmTagPage {
  return {
    tags: tags.map(({ id, name }) => ({ id, name: name?.trim() || `Tag ${id}` })),
    ...(next ? { nextPageToken: next } : {}),
  };
}

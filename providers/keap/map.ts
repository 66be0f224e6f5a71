import type { z } from 'zod/mini';
import { type CrmTagPage, ProviderError } from '#providers/provider.ts';
import type { wireContacts, wireTags } from './api-types.ts';

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

/** A tag without a name is shown by its number. */
export function toTagPage({ tags, next_page_token: next }: z.output<typeof wireTags>): CrmTagPage {
  return {
    tags: tags.map(({ id, name }) => ({ id, name: name?.trim() || `Tag ${id}` })),
    ...(next ? { nextPageToken: next } : {}),
  };
}

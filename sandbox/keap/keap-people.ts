import type { SandboxReply } from '#sandbox/wire.ts';
import type { KeapContacts, KeapPerson } from './keap-contacts.ts';
import { pageOf } from './keap-pages.ts';

/** `GET /v2/tags/{id}/contacts`: who holds a tag. Phones are not in it. */
export function taggedContacts(
  tagId: string,
  query: URLSearchParams,
  contacts: KeapContacts,
): SandboxReply | undefined {
  const tagged = contacts.people().filter(({ tagIds }) => tagIds.includes(tagId));
  const page = pageOf(tagged, query);
  return (
    page && {
      status: 200,
      body: {
        contacts: page.items.map(({ id, emails }) => ({
          id,
          email: emails[0] ?? '',
          given_name: 'Invented',
          family_name: 'Person',
          applied_time: '2026-03-15T10:30:00.000Z',
        })),
        next_page_token: page.next,
      },
    }
  );
}

/** `GET /v2/contacts?filter=ids==1,2,3`, with the fields that are asked for. */
export function contactsById(ids: readonly string[], contacts: KeapContacts): SandboxReply {
  const found = contacts.people().filter(({ id }) => ids.includes(id));
  return { status: 200, body: { contacts: found.map(toWire), next_page_token: '' } };
}

const toWire = ({ id, emails, phones }: KeapPerson) => ({
  id,
  email_addresses: emails.map((email, at) => ({ email, field: `EMAIL${at + 1}`, email_opt_status: 'SINGLE_OPT_IN' })),
  phone_numbers: phones.map((number, at) => ({ number, field: `PHONE${at + 1}`, type: 'Work' })),
});

/** `GET /v2/emailAddresses/{email}/status`; undefined for an address without one. */
export function emailStatus(email: string, contacts: KeapContacts): SandboxReply | undefined {
  const status = contacts.statusOf(email);
  return status === undefined
    ? undefined
    : {
        status: 200,
        body: {
          email,
          status,
          opted_in: ['UNENGAGED_MARKETABLE', 'SINGLE_OPT_IN', 'DOUBLE_OPT_IN', 'CONFIRMED'].includes(status),
          create_time: '2025-04-01T12:00:00.000Z',
        },
      };
}

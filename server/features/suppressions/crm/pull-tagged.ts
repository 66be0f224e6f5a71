import { type CrmContact, MOST_CRM_IDS } from '#providers/provider.ts';
import { chunks } from '#server/lib/chunks.ts';
import { askCrm, type Pull } from './pull.ts';
import { type OptOut, storeOptOuts } from './store-opt-outs.ts';

/** More pages than this are a CRM that goes round in circles. */
const MOST_PAGES = 1_000;

/** Takes over everyone who holds the tag, page by page. */
export async function pullTagged(pull: Pull, tag: { id: string; name: string }): Promise<void> {
  const asked = new Set<string>();
  let pageToken: string | undefined;
  for (let pages = 0; ; pages += 1) {
    // What is cut off here would be people who are not held back.
    if (pages === MOST_PAGES || (pageToken && asked.has(pageToken))) throw new Error('The pages of a tag do not end.');
    if (pageToken) asked.add(pageToken);
    const current = pageToken;
    const page = await askCrm(pull, (crm, token) => crm.taggedPage(token, tag.id, current, pull.signal));
    for (const ids of chunks(page.ids, MOST_CRM_IDS)) await takeOver(pull, ids, tag.name);
    pageToken = page.nextPageToken;
    if (!pageToken) return;
  }
}

async function takeOver(pull: Pull, ids: readonly string[], tagName: string): Promise<void> {
  const contacts = await askCrm(pull, (crm, token) => crm.contactsById(token, ids, pull.signal));
  const told = new Set(contacts.map(({ id }) => id));
  // Some may have been deleted since. No one knows of the others what to hold back.
  pull.left.missing.push(...ids.filter((id) => !told.has(id)));
  await storeOptOuts(
    pull,
    contacts.flatMap((contact) => optOutsOf(contact, `${pull.name} tag “${tagName}”`.slice(0, 500))),
  );
  pull.brought.contacts += contacts.length;
  await pull.renew();
}

const optOutsOf = ({ emails, phones }: CrmContact, note: string): OptOut[] => [
  ...emails.map((value) => ({ kind: 'email', value, note }) as const),
  ...phones.map((value) => ({ kind: 'phone', value, note }) as const),
];

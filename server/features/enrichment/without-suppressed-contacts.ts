import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { suppressedEmails } from '#server/leads/suppressed.ts';
import type { DomainAnswer } from './domain-search-operation.ts';

/** Leaves out of what Hunter said everyone whose address is on the suppression list. The answers stay in their order. */
export async function withoutSuppressedContacts(
  db: Db | Tx,
  answers: readonly DomainAnswer[],
): Promise<DomainAnswer[]> {
  const held = await suppressedEmails(
    db,
    answers.flatMap(({ contacts }) => contacts.map(({ email }) => email)),
  );
  return answers.map(({ contacts }) => ({ contacts: contacts.filter(({ email }) => !held.has(email)) }));
}

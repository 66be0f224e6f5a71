import type { EmailFinder } from '#providers/provider.ts';
import { createHunterClient, type HunterOptions } from './client.ts';
import { toContact } from './map.ts';

/** E-mail addresses from Hunter's domain search. */
export function createEmailFinder(options: HunterOptions): EmailFinder {
  const client = createHunterClient(options);
  return {
    testKey: (signal) => client.account(signal),
    async searchDomain(domain, signal) {
      const asked = domain.trim().toLowerCase();
      const { data, unsettled } = await client.domainSearch(asked, signal);
      const contacts = (data?.emails ?? []).map(toContact).filter((contact) => contact !== undefined);
      return {
        domain: data?.domain?.trim().toLowerCase() || asked,
        contacts: unsettled ? contacts.map((contact) => ({ ...contact, verification: 'unknown' })) : contacts,
      };
    },
  };
}

import { type EmailFinder, ProviderError } from '#providers/provider.ts';
import { createHunterClient, type HunterOptions } from './client.ts';
import { toContact, toVerification } from './map.ts';

/** Email addresses from Hunter's domain search, and what its verifier says of them. */
export function createEmailFinder(options: HunterOptions): EmailFinder {
  const client = createHunterClient(options);
  return {
    testKey: async (signal) => void (await client.account(signal)),
    async readMeter(signal) {
      const { requests, reset_date } = await client.account(signal);
      const used = (requests?.credits ?? requests?.searches)?.used;
      if (used === undefined)
        throw new ProviderError(
          'hunter_io',
          'unknown_shape',
          'Hunter did not report the account’s usage. Try again later.',
        );
      return { usedCredits: used, ...(reset_date ? { resetsOn: reset_date } : {}) };
    },
    countEmails: (domain, signal) => client.emailCount(domain.trim().toLowerCase(), signal),
    async searchDomain(domain, options) {
      const asked = domain.trim().toLowerCase();
      const { data, unsettled } = await client.domainSearch(asked, options);
      const contacts = (data?.emails ?? []).map(toContact).filter((contact) => contact !== undefined);
      return {
        domain: data?.domain?.trim().toLowerCase() || asked,
        contacts: unsettled
          ? contacts.map(({ verifiedOn: _, ...contact }) => ({ ...contact, verification: 'unknown' }))
          : contacts,
      };
    },
    async verifyEmail(email, options) {
      const asked = email.trim().toLowerCase();
      const data = await client.emailVerifier(asked, options);
      if (!data) return 'pending';
      // What is said of another address says nothing of this one.
      const isSame = !data.email || data.email.trim().toLowerCase() === asked;
      return isSame ? toVerification(data.status) : 'unknown';
    },
  };
}

import type { Crm } from '#providers/provider.ts';
import { createKeapClient, type KeapOptions } from './client.ts';
import { emailFilter, idsFilter, toContactPage, toContacts, toEmailStatus, toTagIds, toTagPage } from './map.ts';

/** Who holds which tags, and who has opted out, from Keap. */
export function createKeapCrm(options: KeapOptions): Crm {
  const client = createKeapClient(options);
  return {
    authorizeUrl: (input) => client.authorizeUrl(input),
    exchangeCode: async (input, signal) => toTokens(await client.exchange(input, signal)),
    refresh: async (refreshToken, signal) => toTokens(await client.refresh(refreshToken, signal)),
    async findTagIds(accessToken, email, signal) {
      const asked = email.trim();
      return toTagIds(await client.contacts(accessToken, emailFilter(asked), signal), asked);
    },
    tagPage: async (accessToken, pageToken, signal) => toTagPage(await client.tags(accessToken, pageToken, signal)),
    taggedPage: async (accessToken, tagId, pageToken, signal) =>
      toContactPage(await client.taggedContacts(accessToken, tagId, pageToken, signal)),
    contactsById: async (accessToken, ids, signal) =>
      toContacts(await client.contactsById(accessToken, idsFilter(ids), signal), ids),
    async emailStatus(accessToken, email, signal) {
      const asked = email.trim();
      const status = await client.emailStatus(accessToken, asked, signal);
      return status && toEmailStatus(status, asked);
    },
  };
}

type Tokens = Awaited<ReturnType<ReturnType<typeof createKeapClient>['refresh']>>;

/** The scope names the account: "full|ab123.infusionsoft.com". */
const toTokens = ({ access_token, refresh_token, expires_in, scope }: Tokens) => ({
  accessToken: access_token,
  refreshToken: refresh_token,
  expiresInSeconds: expires_in,
  account: /^[^|]*\|(\S{1,200})$/.exec(scope ?? '')?.[1],
});

import { createPlaceFinder } from './google-places/adapter.ts';
import { createEmailFinder } from './hunter/adapter.ts';
import { createKeapCrm } from './keap/adapter.ts';
import { trimBaseUrl } from './key-text.ts';
import type {
  Crm,
  EmailFinder,
  Fetch,
  PhoneScrubber,
  PlaceFinder,
  ProviderId,
  ServiceId,
  SmsSender,
} from './provider.ts';
import { ProviderError, providerNames } from './provider.ts';
import { createPhoneScrubber } from './searchbug/adapter.ts';
import { parseSearchbugKey } from './searchbug/parse-key.ts';
import { createTwilioSender, type TwilioOptions } from './twilio/adapter.ts';

/** The path under which the sandbox plays each provider. */
const sandboxPaths: Readonly<Record<ServiceId, string>> = {
  google_places: 'google',
  hunter_io: 'hunter',
  searchbug: 'searchbug',
  keap: 'keap',
  twilio: 'twilio',
};

export type ProvidersOptions = {
  /** Origin, with an optional path prefix, of each real provider. */
  urls: Readonly<Record<ProviderId, string>> & { areaInsights: string; keap: { accounts: string; api: string } };
  /** The account that text messages are sent with; absent: the sandbox's, or none where that is off. */
  twilio?: Omit<TwilioOptions, 'fetch'> | undefined;
  /** Where the sandbox listens; absent when it is off, and sandbox keys are then refused. */
  sandboxUrl?: string | undefined;
  fetch?: Fetch;
};

/** Makes the adapter for a user's key. Making one never throws; a key that cannot work makes its methods reject. */
export type Providers = {
  placeFinder(key: string): PlaceFinder;
  emailFinder(key: string): EmailFinder;
  phoneScrubber(key: string): PhoneScrubber;
  /** The CRM, for the application that an administrator registered with it. */
  crm(client: { clientId: string; clientSecret: string }): Crm;
  /** The sender of text messages; undefined where there is none. */
  sms: SmsSender | undefined;
};

/** Whether a CRM application is the sandbox's: its client id starts with `sandbox`. */
export const isSandboxClient = (clientId: string): boolean => clientId.trim().startsWith('sandbox');

/** Whether the key is for the sandbox: it starts with `sandbox`, or its SearchBug account is followed by such a key. */
export function isSandboxKey(key: string): boolean {
  const trimmed = key.trim();
  return trimmed.startsWith('sandbox') || parseSearchbugKey(trimmed)?.secret.startsWith('sandbox') === true;
}

export function createProviders({ urls, twilio, sandboxUrl, fetch }: ProvidersOptions): Providers {
  /** The options of the adapter, or undefined for a sandbox key while the sandbox is off. */
  const optionsFor = (provider: ProviderId, apiKey: string) => {
    if (isSandboxKey(apiKey) && sandboxUrl === undefined) return undefined;
    const shared = { apiKey, ...(fetch ? { fetch } : {}) };
    if (isSandboxKey(apiKey) && sandboxUrl !== undefined)
      return { ...shared, baseUrl: `${trimBaseUrl(sandboxUrl)}/${sandboxPaths[provider]}` };
    const insights = provider === 'google_places' ? { insightsUrl: urls.areaInsights } : {};
    return { ...shared, baseUrl: urls[provider], ...insights };
  };
  const smsAccount = twilio ?? sandboxAccount(sandboxUrl);
  return {
    sms: smsAccount && createTwilioSender({ ...smsAccount, ...(fetch ? { fetch } : {}) }),
    placeFinder(key) {
      const options = optionsFor('google_places', key);
      if (options) return createPlaceFinder(options);
      const refuse = () => Promise.reject(sandboxIsOff('google_places'));
      return { testKey: refuse, locate: refuse, searchPage: refuse, countPage: refuse, countArea: refuse };
    },
    emailFinder(key) {
      const options = optionsFor('hunter_io', key);
      if (options) return createEmailFinder(options);
      const refuse = () => Promise.reject(sandboxIsOff('hunter_io'));
      return { testKey: refuse, readMeter: refuse, countEmails: refuse, searchDomain: refuse, verifyEmail: refuse };
    },
    phoneScrubber(key) {
      const options = optionsFor('searchbug', key);
      if (options) return createPhoneScrubber(options);
      const refuse = () => Promise.reject(sandboxIsOff('searchbug'));
      return { testKey: refuse, scrub: refuse };
    },
    crm(client) {
      const options = { ...client, ...(fetch ? { fetch } : {}) };
      if (!isSandboxClient(client.clientId))
        return createKeapCrm({ ...options, accountsUrl: urls.keap.accounts, apiUrl: urls.keap.api });
      if (sandboxUrl !== undefined) {
        const url = `${trimBaseUrl(sandboxUrl)}/${sandboxPaths.keap}`;
        return createKeapCrm({ ...options, accountsUrl: url, apiUrl: url });
      }
      const refuse = () => Promise.reject(sandboxIsOff('keap'));
      return {
        authorizeUrl() {
          throw sandboxIsOff('keap');
        },
        exchangeCode: refuse,
        refresh: refuse,
        findTagIds: refuse,
        tagPage: refuse,
        taggedPage: refuse,
        contactsById: refuse,
        emailStatus: refuse,
      };
    },
  };
}

const sandboxAccount = (sandboxUrl: string | undefined) =>
  sandboxUrl === undefined
    ? undefined
    : {
        accountSid: 'sandbox',
        authToken: 'sandbox',
        from: '+15005550006',
        baseUrl: `${trimBaseUrl(sandboxUrl)}/${sandboxPaths.twilio}`,
      };

const sandboxIsOff = (provider: ServiceId) =>
  new ProviderError(
    provider,
    'bad_credentials',
    `Sandbox keys do not work here. Enter ${provider === 'keap' ? 'the credentials' : 'a key'} of your own ${providerNames[provider]} account.`,
  );

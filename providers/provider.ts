/** The third parties that a user connects with a key. */
export type ProviderId = 'google_places' | 'hunter_io' | 'searchbug';

/** All third parties that are called: those, the CRM that administrators connect, and who sends text messages. */
export type ServiceId = ProviderId | 'keap' | 'twilio';

/** How each third party is called in sentences for the user. */
export const providerNames: Readonly<Record<ServiceId, string>> = {
  google_places: 'Google Places',
  hunter_io: 'Hunter',
  searchbug: 'SearchBug',
  keap: 'Keap',
  twilio: 'Twilio',
};

/**
 * Why a provider could not answer. Every kind asks for another reaction:
 * - `bad_credentials`, `bad_configuration`, `out_of_credit`: stop and tell the user; a retry cannot help
 * - `rate_limited`, `transient`: wait and retry
 * - `bad_request`: the request itself was refused; do not repeat it
 * - `legal_block`: the provider may not answer about this subject; drop it and do not ask again
 * - `unknown_shape`: an answer came that cannot be read; never the same as "no data"
 */
export type ProviderErrorKind =
  | 'bad_credentials'
  | 'bad_configuration'
  | 'out_of_credit'
  | 'rate_limited'
  | 'bad_request'
  | 'legal_block'
  | 'transient'
  | 'unknown_shape';

export type ProviderErrorDetails = {
  /** How long the provider asked us to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** `possible`: the request may have been billed although no usable answer came. Default `none`. */
  charge?: 'none' | 'possible';
  /** For the log: the provider's own status, reason or code, redacted. */
  detail?: string | undefined;
};

/** A provider did not give a usable answer. The message is written for the user and says what to do; it holds no secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: ServiceId;
  readonly kind: ProviderErrorKind;
  readonly charge: 'none' | 'possible';
  readonly retryAfterMs: number | undefined;
  readonly detail: string | undefined;

  constructor(provider: ServiceId, kind: ProviderErrorKind, message: string, details: ProviderErrorDetails = {}) {
    super(message);
    this.provider = provider;
    this.kind = kind;
    this.charge = details.charge ?? 'none';
    this.retryAfterMs = details.retryAfterMs;
    this.detail = details.detail;
  }
}

/** The function that carries requests; replaceable in tests. */
export type Fetch = typeof globalThis.fetch;

/** What every adapter is made from. `baseUrl` is an origin with an optional path prefix. */
/** `insightsUrl`: where Places Aggregate is, if not with the rest. */
export type AdapterOptions = {
  apiKey: string;
  baseUrl: string;
  insightsUrl?: string;
  fetch?: Fetch;
  timeoutMs?: number;
};

/** A point in decimal degrees, WGS 84. */
export type Coordinates = { latitude: number; longitude: number };

/** A business. Without coordinates its distance is unknown (a service-area business shows no address). */
export type Place = {
  id: string;
  name: string;
  /** International form when the provider gave one, else national. */
  phone?: string;
  address?: string;
  /** Absolute http or https address. */
  website?: string;
  latitude?: number;
  longitude?: number;
  serviceArea: boolean;
  closedPermanently: boolean;
};

/** A town, postcode, region or street address. `label` is short, for lists: "Springfield, IL". */
export type LocatedPlace = Coordinates & { id: string; label: string };

/** A rectangle by its corners. `low.longitude > high.longitude` means that it crosses the antimeridian. */
export type BoundingBox = { low: Coordinates; high: Coordinates };

/** One category search. `pageSize` is 1–20; later pages repeat the same values with the `pageToken` of the page before. */
export type PlaceQuery = {
  category: string;
  within: BoundingBox;
  pageSize: number;
  pageToken?: string;
};

/** What Google counts by itself. `border`: counterclockwise, its first point not repeated. */
export type CountedArea =
  | { kind: 'circle'; center: Coordinates; meters: number }
  | { kind: 'polygon'; border: readonly Coordinates[] };

/**
 * Finds businesses in rectangles. Every method throws ProviderError, or the signal's reason when the caller aborts.
 */
export type PlaceFinder = {
  /** Resolves when the key works. Free of charge. */
  testKey(signal?: AbortSignal): Promise<void>;
  /** Where a typed location is, or undefined when Google does not find it. One paid call. */
  locate(text: string, signal?: AbortSignal): Promise<LocatedPlace | undefined>;
  /** One page of businesses, one paid call. No `nextPageToken`: the last page. */
  searchPage(query: PlaceQuery, signal?: AbortSignal): Promise<{ places: Place[]; nextPageToken?: string }>;
  /** The same page as ids only, free of charge. */
  countPage(query: PlaceQuery, signal?: AbortSignal): Promise<{ placeIds: string[]; nextPageToken?: string }>;
  /** How many businesses there are in an area of any of Google's own types, each once. One paid call. */
  countArea(types: readonly string[], area: CountedArea, signal?: AbortSignal): Promise<number>;
};

export type EmailVerification = 'valid' | 'invalid' | 'accept_all' | 'webmail' | 'disposable' | 'unknown';

/** An email address found for a domain, with whose it is where that is known. */
export type DomainContact = {
  email: string;
  type: 'personal' | 'generic';
  /** Percent, 0–100. */
  confidence: number;
  firstName?: string;
  lastName?: string;
  position?: string;
  seniority?: string;
  department?: string;
  verification?: EmailVerification;
  /** The day of that verification, as 2026-11-25, where it is told. */
  verifiedOn?: string;
};

/** `takeTurn`: awaited before every request of a call but the first. */
export type TurnOptions = { takeTurn?: () => Promise<void>; signal?: AbortSignal };

/** Finds and verifies email addresses. Every method throws ProviderError, or the signal's reason when the caller aborts. */
export type EmailFinder = {
  /** Resolves when the key works. Free of charge. */
  testKey(signal?: AbortSignal): Promise<void>;
  /** What the account has used of its credits, and the day on which they renew. Free of charge. */
  readMeter(signal?: AbortSignal): Promise<{ usedCredits: number; resetsOn?: string }>;
  /** How many addresses are known of a domain. Free of charge. */
  countEmails(domain: string, signal?: AbortSignal): Promise<number>;
  /**
   * Returns up to ten contacts of a domain, or an empty array when none is known.
   * - The `domain` returned is the one that the answer is about.
   */
  searchDomain(domain: string, options?: TurnOptions): Promise<{ domain: string; contacts: DomainContact[] }>;
  /** Whether an email can receive mail; `pending` while there is no result yet. */
  verifyEmail(email: string, options?: TurnOptions): Promise<EmailVerification | 'pending'>;
};

/** What is known about calling a number. `not_checked` means that no readable verdict came. */
export type PhoneVerdict = {
  /** 10 digits. */
  number: string;
  status: 'safe' | 'dnc' | 'litigator' | 'not_checked';
  /** The lists that the number is on, as the provider names them: "FED,TX". */
  codes?: string;
  lineType?: 'mobile' | 'landline' | 'voip';
};

/** The body of a reply, and what the provider calls the request; null where it does not say. */
type ProviderReply = { body: string; requestId: string | null };

/** The answer to one scrub: a verdict for every number asked. Money in micro-dollars. */
export type PhoneScrub = {
  verdicts: ReadonlyMap<string, PhoneVerdict>;
  /** What the provider sent, as it was, without our credentials. */
  reply: ProviderReply;
  /** What one number cost. */
  rateMicros?: number;
  /** What is left on the account. */
  balanceMicros?: number;
};

/** Checks numbers against do-not-call and litigator lists. Every method throws ProviderError, or the signal's reason. */
export type PhoneScrubber = {
  /** Resolves when the key works. Free of charge. */
  testKey(signal?: AbortSignal): Promise<{ balanceMicros?: number }>;
  /** One paid call for up to 20 US numbers of 10 digits each. */
  scrub(numbers: readonly string[], signal?: AbortSignal): Promise<PhoneScrub>;
};

/** What the CRM gave for an administrator's consent, or for the refresh token before. */
export type CrmTokens = {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
  /** What the CRM calls the account; undefined where it does not say. */
  account?: string | undefined;
};

/** A tag of the CRM; ids are text. */
export type CrmTagPage = { tags: { id: string; name: string }[]; nextPageToken?: string };

/** Contacts that are asked for by their ids at a time. */
export const MOST_CRM_IDS = 100;

/** Ids of contacts that hold a tag, and where the next page begins. */
export type CrmContactPage = { ids: string[]; nextPageToken?: string };
/** How someone in the CRM can be reached. Phones as the CRM writes them. */
export type CrmContact = { id: string; emails: string[]; phones: string[] };
/** Whether the CRM's status of an address means that it must be left alone; `status` in the CRM's own word. */
export type CrmEmailStatus = { stops: boolean; status: string };

/**
 * Asks the CRM who holds which tags, and who has opted out.
 * @throws ProviderError from every method but `authorizeUrl`. `bad_credentials`: the token, code or secret is not accepted.
 * @throws the signal's reason when the caller aborts.
 */
export type Crm = {
  /** Where an administrator's browser goes to grant access. `state` comes back with the answer. */
  authorizeUrl(input: { redirectUri: string; state: string }): string;
  /** Spends the code that came back. `redirectUri` is the one that was asked with. */
  exchangeCode(input: { code: string; redirectUri: string }, signal?: AbortSignal): Promise<CrmTokens>;
  /** Spends a refresh token: from then on only the new one works. */
  refresh(refreshToken: string, signal?: AbortSignal): Promise<CrmTokens>;
  /** The ids of all tags that contacts with this address hold; undefined when there is no such contact. One call. */
  findTagIds(accessToken: string, email: string, signal?: AbortSignal): Promise<string[] | undefined>;
  /** One page of all tags, one call. No `nextPageToken`: the last page. */
  tagPage(accessToken: string, pageToken?: string, signal?: AbortSignal): Promise<CrmTagPage>;
  /** One page of those who hold a tag, one call. No `nextPageToken`: the last page. */
  taggedPage(accessToken: string, tagId: string, pageToken?: string, signal?: AbortSignal): Promise<CrmContactPage>;
  /** How at most MOST_CRM_IDS contacts can be reached, one call. Those that are gone are left out. */
  contactsById(accessToken: string, ids: readonly string[], signal?: AbortSignal): Promise<CrmContact[]>;
  /** The status of an address, one call; undefined when the CRM does not know it. */
  emailStatus(accessToken: string, email: string, signal?: AbortSignal): Promise<CrmEmailStatus | undefined>;
};

/** Sends text messages. `to`: E.164, with the plus. Rejects with ProviderError: `bad_request` for a number that cannot be reached. */
export type SmsSender = { send(message: { to: string; text: string }): Promise<void> };

export const PROVIDER_IDS = ['google_places', 'hunter_io', 'searchbug'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

export type CatalogueEntry = {
  id: ProviderId;
  name: string;
  description: string;
  tier: 1 | 2 | 3;
  required: boolean;
  /** What one unit costs at the provider, in words. */
  costPerLead: string;
  /** Where the provider shows or makes its keys. */
  helpUrl: string;
  /** What belongs in the key field. */
  keyHint: string;
};

/** The fixed catalogue of spec section 3. */
export const PROVIDER_CATALOGUE: Record<ProviderId, CatalogueEntry> = {
  google_places: {
    id: 'google_places',
    name: 'Google Places',
    description: 'Finds businesses with phone and address',
    tier: 1,
    required: true,
    costPerLead: 'about $0.017 per search',
    helpUrl: 'https://console.cloud.google.com/google/maps-apis/credentials',
    keyHint: 'Use a key from a project with “Places API (New)” turned on. It starts with AIza.',
  },
  hunter_io: {
    id: 'hunter_io',
    name: 'Hunter.io',
    description: 'Finds emails',
    tier: 2,
    required: false,
    costPerLead: 'about $0.05 per email',
    helpUrl: 'https://hunter.io/api-keys',
    keyHint: 'Copy the API key from Hunter’s dashboard.',
  },
  searchbug: {
    id: 'searchbug',
    name: 'SearchBug',
    description: 'Checks phone numbers against do-not-call and litigator lists',
    tier: 3,
    required: false,
    costPerLead: 'about $0.02 per check',
    helpUrl: 'https://www.searchbug.com/myaccount/',
    keyHint: 'Your account password works too, but SearchBug recommends the API Key.',
  },
};

/** What someone without a key for a provider is told. Spec section 8 fixes the words. */
export const MISSING_KEY: Readonly<Record<ProviderId, string>> = {
  google_places: 'Google Places API key is missing. Add it in Settings > API Providers.',
  hunter_io: 'Hunter.io API key is missing. Add it in Settings > API Providers.',
  searchbug: 'SearchBug API key is missing. Add it in Settings > API Providers.',
};

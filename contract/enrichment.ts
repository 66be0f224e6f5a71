import { z } from 'zod/mini';
import { endpoint, looseId } from './endpoint.ts';

/** Looks up e-mails and owners for every lead of a list that has a website of its own. `cost` is in US dollars. */
export const enrichEmails = endpoint({
  method: 'POST',
  path: '/api/enrich/emails',
  body: z.object({ list_id: looseId }),
  data: z.object({
    total_domains_processed: z.number(),
    leads_updated: z.number(),
    emails_added: z.number(),
    contacts_added: z.number(),
    cost: z.number(),
  }),
});

/** Message fixed by spec section 8 for a missing key of the e-mail finder. */
export const MISSING_HUNTER_KEY = 'Hunter.io API key is missing. Add it in Settings > API Providers.';
/** Message fixed by spec section 8 for a missing key of the phone check. */
export const MISSING_SEARCHBUG_KEY = 'SearchBug API key is missing. Add it in Settings > API Providers.';
export const MISSING_GOOGLE_KEY = 'Google Places API key is missing. Add it in Settings > API Providers.';

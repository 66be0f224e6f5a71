import type { CallState, PaidCall } from '#contract/money/paid-calls.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { RunKind } from '#contract/work/runs.ts';
import type { Tone } from '#web/ui/feedback/tone.ts';

/** The provider that each kind of run calls. */
export const ASKED: Record<RunKind, ProviderId> = {
  search: 'google_places',
  enrichment: 'hunter_io',
  compliance: 'searchbug',
  place: 'google_places',
  survey: 'google_places',
};

/** How each provider is called inside a sentence. */
export const SHORT_NAME: Record<ProviderId, string> = {
  google_places: 'Google Places',
  hunter_io: 'Hunter',
  searchbug: 'SearchBug',
};

/** Where a provider's site tells what it has charged. */
export const WHERE_CHARGED: Record<ProviderId, string> = {
  google_places:
    'In the Google Cloud console open “Google Maps Platform”, then “Metrics”, and compare the requests at the time of the call. The bill itself follows a day later under “Billing”.',
  hunter_io: 'On hunter.io open “Usage”: it lists each domain and email that was charged, with its time.',
  searchbug:
    'On searchbug.com open “My Account”, then the usage history: it lists each search with its time and charge.',
};

/** What the next run does about a request whose answer was lost, and what that may cost. */
export const LOST_AGAIN: Record<RunKind, string> = {
  search: 'If a response was lost, the request is sent again, and Google may charge for it again.',
  enrichment:
    'If a response was lost, the request is sent again. Hunter charges for a website or an email once per billing period.',
  compliance: 'If a number’s result was lost, it is not checked again until you settle it.',
  place: 'If a response was lost, the request is sent again, and Google may charge for it again.',
  survey: 'If the response to a paid count was lost, the request is sent again, and Google may charge for it again.',
};

/** What a call was about, in words for its owner. */
export function subjectText({ operation, subject }: Pick<PaidCall, 'operation' | 'subject'>): string {
  if (operation === 'search_page') return `Results, page ${/page (\d+)$/.exec(subject)?.[1] ?? '1'}`;
  if (operation === 'phone_scrub' && subject.length === 10)
    return `+1 ${subject.slice(0, 3)}-${subject.slice(3, 6)}-${subject.slice(6)}`;
  if (operation === 'area_count') return `Google’s own count of “${subject.split(' in ')[0]?.replaceAll('_', ' ')}”`;
  return operation === 'locate' ? `Place “${subject}”` : subject;
}

/** How a call stands, in one or two words. */
export function stateOf(call: PaidCall): { text: string; tone: Tone } {
  if (call.settledByHandAt)
    return { text: call.costMicros > 0 ? 'Settled: charged' : 'Settled: not charged', tone: 'neutral' };
  return { text: STATE_LABEL[call.state], tone: TONE[call.state] };
}

export const STATE_LABEL: Record<CallState, string> = {
  planned: 'Waiting',
  sent: 'Asked',
  answered: 'Answered',
  failed: 'Failed',
  uncertain: 'Response lost',
  not_sent: 'Not sent',
};

const TONE: Record<CallState, Tone> = {
  planned: 'neutral',
  sent: 'info',
  answered: 'neutral',
  failed: 'danger',
  uncertain: 'warning',
  not_sent: 'neutral',
};

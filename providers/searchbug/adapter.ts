import type { AdapterOptions, PhoneScrubber } from '#providers/provider.ts';
import { ProviderError } from '#providers/provider.ts';
import { createSearchbugClient } from './client.ts';
import { searchbugAnswerError } from './errors.ts';
import { errorText, isSuccess, toStats, toVerdicts } from './map.ts';

/** Do-not-call list, TCPA litigation and line type in one look-up. */
const scrubType = 'api_lnd2';
const maxNumbers = 20;

/** Phone scrubs from SearchBug. */
export function createPhoneScrubber(options: AdapterOptions): PhoneScrubber {
  const call = createSearchbugClient(options);
  return {
    async testKey(signal) {
      const parameters = { TYPE: 'status', TYPE_API: 'api_dnc2' };
      const { answer, secrets } = await call({ parameters, paid: false }, signal);
      const { balanceMicros } = toStats(answer);
      if (!isSuccess(answer) && balanceMicros === undefined) {
        const error = searchbugAnswerError(errorText(answer), secrets);
        // Any other refusal (an empty account, a status type that is not offered) comes after the key was recognized.
        if (error.kind === 'bad_credentials') throw error;
      }
      return balanceMicros === undefined ? {} : { balanceMicros };
    },

    async scrub(numbers, signal) {
      const asked = [...new Set(numbers)];
      if (asked.length === 0) return { verdicts: new Map(), reply: { body: '', requestId: null } };
      if (asked.length > maxNumbers || !asked.every((number) => /^\d{10}$/.test(number))) {
        const message = `A phone check takes at most ${maxNumbers} US numbers of 10 digits at a time.`;
        throw new ProviderError('searchbug', 'bad_request', message);
      }
      const parameters = { TYPE: scrubType, F: asked.join(',') };
      const { answer, secrets, body, requestId } = await call({ parameters, paid: true }, signal);
      if (answer.Status.trim().toLowerCase() === 'error') throw searchbugAnswerError(errorText(answer), secrets);
      return { verdicts: toVerdicts(answer, asked), reply: { body, requestId }, ...toStats(answer) };
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { prices } from '#providers/prices.ts';
import { type EmailFinder, ProviderError } from '#providers/provider.ts';
import { REMEMBER_REFUSAL_MS } from '#server/features/enrichment/domain-search-operation.ts';
import {
  type EmailAnswer,
  emailVerifyOperation,
  REMEMBER_CHECK_MS,
  REMEMBER_PENDING_MS,
} from '#server/features/enrichment/email-verify-operation.ts';
import { emailsToVerify } from '#server/features/enrichment/emails-to-verify.ts';
import type { EnrichmentProgress } from '#server/features/enrichment/enrichment-progress.ts';
import { storeEmailChecks } from '#server/features/enrichment/store-email-checks.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { takeDeparture } from '#server/paid-calls/departure/departures.ts';
import type { Bought } from '#server/paid-calls/operation.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { askHunter } from './ask-hunter.ts';

/** Asks Hunter whether the emails of a list, or of some of its leads, can receive mail. Each is asked about once, and the answer stored. */
export async function verifyEmails(
  context: ListRunContext,
  leadIds: readonly string[] | undefined,
  progress: EnrichmentProgress,
): Promise<void> {
  const { deps, run } = context;
  const { leadsOf, suppressed } = await emailsToVerify(deps.db, run.listId, leadIds);
  progress.add({ emailsToVerify: leadsOf.size, emailsSuppressed: suppressed });
  const finder = deps.providers.emailFinder(context.key.apiKey);
  // Not aborted: what was sent is awaited, because it may be paid.
  const takeTurn = async () => void (await sleep(await throughOutage(() => takeDeparture(context, 'hunter_io'))));
  await askHunter(context, {
    settling: {
      operation: emailVerifyOperation,
      store: (tx, answered) => storeEmailChecks(tx, run.listId, answered),
    },
    subjects: [...leadsOf.keys()],
    leadsOf,
    send: (email) => verify(finder, email, takeTurn),
    count(outcome) {
      if (outcome.state === 'uncertain') return progress.add({ emailsUncertain: 1 });
      const { status } = outcome.answer;
      progress.add({ emailsVerified: 1, emailsKnown: outcome.known ? 1 : 0 });
      if (status === 'invalid') progress.add({ emailsInvalid: 1 });
      if (status === 'pending') progress.add({ emailsPending: 1 });
    },
  });
}

/** Verifies one email. One that Hunter may not speak about is not known, one that it refuses has no result. Neither stops the others. */
async function verify(finder: EmailFinder, email: string, takeTurn: () => Promise<void>): Promise<Bought<EmailAnswer>> {
  try {
    const status = await finder.verifyEmail(email, { takeTurn });
    const rememberMs = status === 'pending' ? REMEMBER_PENDING_MS : REMEMBER_CHECK_MS;
    return { answer: { status }, costMicros: prices.hunterVerificationMicros, rememberMs };
  } catch (error) {
    const costMicros = prices.hunterMissMicros;
    if (error instanceof ProviderError && error.kind === 'legal_block')
      return { answer: { status: 'unknown' }, costMicros, rememberMs: REMEMBER_CHECK_MS };
    if (error instanceof ProviderError && error.kind === 'bad_request')
      return { answer: { status: 'pending' }, costMicros, rememberMs: REMEMBER_REFUSAL_MS };
    throw error;
  }
}

import { createHash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { PhoneVerdict } from '#providers/provider.ts';
import { appendEvidence, appendingEvidence } from '#server/evidence/append-evidence.ts';
import { erasingLate } from '#server/evidence/erase-evidence.ts';
import type { EvidenceEntry, SealedPart } from '#server/evidence/evidence-entry.ts';
import { bookedNow } from '#server/paid-calls/ledger/settle-calls.ts';
import type { Answered, Origin, SettledCall } from '#server/paid-calls/operation.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { rememberVerdict } from './scrub-operation.ts';

type Entry = { entry: EvidenceEntry; calls: readonly string[] };
type Run = Pick<ListRunContext['run'], 'id' | 'userId' | 'listId' | 'sandbox'>;
const PROVIDER = 'searchbug';

/** Longer replies are kept to this length; their hash is that of the whole. */
const MOST_REPLY = 500_000;

/**
 * Returns statements that record replies and their verdicts as evidence, after their booking. Erased numbers are left out.
 * - A number is 10 digits.
 */
export function recordingScrubs(
  vault: Vault,
  run: Run,
  bought: readonly SettledCall<PhoneVerdict>[],
): RawBuilder<unknown>[] {
  const about = { actor: run.userId, list: run.listId };
  const entries = [...Map.groupBy(bought, ({ origin }) => origin)].flatMap(([origin, calls]): Entry[] => [
    ...(origin
      ? [{ calls: calls.map(({ id }) => id), entry: { ...about, ...replied(origin, calls, run.sandbox) } }]
      : []),
    ...calls.map(
      ({ id, answer, answeredAt, costMicros }): Entry => ({
        calls: [id],
        entry: {
          ...about,
          kind: 'scrub.verdict',
          facts: {
            provider: PROVIDER,
            request: origin?.request ?? null,
            call: id,
            ...verdictOf(answer, origin?.answeredAt ?? answeredAt),
            costMicros,
            sandbox: run.sandbox,
          },
          parts: [numberPart(answer)],
        },
      }),
    ),
  ]);
  return [
    appendingEvidence(vault, entries, bookedNow(bought.map(({ id }) => id))),
    erasingLate(vault, subjectsOf(bought)),
  ];
}

/** Records as evidence the known verdicts that another list now uses. */
export async function recordReusedVerdicts(
  tx: Tx,
  vault: Vault,
  run: Run,
  reused: readonly Answered<PhoneVerdict>[],
): Promise<void> {
  const entries = reused.map(
    ({ answer, answeredAt, callId }): EvidenceEntry => ({
      kind: 'verdict.reused',
      actor: run.userId,
      list: run.listId,
      facts: {
        provider: PROVIDER,
        call: callId,
        run: run.id,
        ...verdictOf(answer, answeredAt),
        sandbox: run.sandbox,
      },
      parts: [numberPart(answer)],
    }),
  );
  await appendEvidence(tx, vault, entries);
  await erasingLate(vault, subjectsOf(reused)).execute(tx);
}

function replied(
  { request, providerRequest, askedAt, answeredAt, reply }: Origin,
  calls: readonly SettledCall<PhoneVerdict>[],
  sandbox: boolean,
): Pick<Extract<EvidenceEntry, { kind: 'scrub.replied' }>, 'kind' | 'facts' | 'parts'> {
  const bytes = Buffer.from(reply);
  return {
    kind: 'scrub.replied',
    facts: {
      provider: PROVIDER,
      request,
      providerRequest,
      numbers: calls.length,
      askedAt: askedAt.toISOString(),
      answeredAt: answeredAt.toISOString(),
      replySha256: createHash('sha256').update(bytes).digest('hex'),
      replyBytes: bytes.length,
      // SearchBug does not say how old its lists are.
      listVersion: null,
      costMicros: calls.reduce((sum, { costMicros }) => sum + costMicros, 0),
      sandbox,
    },
    parts: [{ subjects: calls.map(({ answer }) => keyOf(answer)), content: { reply: reply.slice(0, MOST_REPLY) } }],
  };
}

function verdictOf({ status, codes }: PhoneVerdict, answeredAt: Date) {
  const rememberMs = rememberVerdict(status);
  return {
    verdict: status,
    lists: codes ?? null,
    answeredAt: answeredAt.toISOString(),
    expiresAt: rememberMs === 'for good' ? null : new Date(answeredAt.getTime() + rememberMs).toISOString(),
  };
}

const numberOf = ({ number }: PhoneVerdict): string => `+1${number}`;
const keyOf = (answer: PhoneVerdict): string => `phone:${numberOf(answer)}`;
const subjectsOf = (answered: readonly Pick<Answered<PhoneVerdict>, 'answer'>[]): string[] =>
  answered.map(({ answer }) => keyOf(answer));
const numberPart = (answer: PhoneVerdict): SealedPart => ({
  subjects: [keyOf(answer)],
  content: { phone: numberOf(answer), ...(answer.lineType ? { lineType: answer.lineType } : {}) },
});

import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { readState } from '#area/named/state-names.ts';
import { type CallQuestion, judgeCall } from '#calling/verdict.ts';
import type { Callability, checkCallabilityEndpoint } from '#contract/calling/callability.ts';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { lineOf } from '#server/calling/read-leads.ts';
import { readTerms } from '#server/calling/read-terms.ts';
import { e164Of } from '#server/calling/us-phone.ts';
import { keepingErasuresWaiting } from '#server/evidence/erase-evidence.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { recordGivenVerdict } from '#server/evidence/record-given-verdict.ts';
import type { Ctx } from '#server/http/context.ts';
import { isToldNotToCall } from '#server/leads/no-calls.ts';
import { recentCallsTo } from '#server/leads/recent-calls.ts';
import { leadSuppressedSince, suppressedSince } from '#server/leads/suppressed.ts';
import { AppError } from '#server/lib/app-error.ts';
import { judged } from './judged.ts';

type Answer = { status: string; line: string | null; sandbox: boolean; answered_at: Date; expired: boolean };

/**
 * Whether a number may be called, written down as it was said. Only what the caller has paid for before is known of it.
 * @throws VALIDATION_FAILED when there is no such state.
 */
export async function checkNumber(
  { deps: { db, vault }, user }: Ctx,
  { phone, address, state, postalCode, at: time }: z.output<typeof checkCallabilityEndpoint.body>,
): Promise<Callability> {
  const stated = state ? readState(state) : undefined;
  if (state && !stated)
    throw new AppError(
      'VALIDATION_FAILED',
      'There is no such state. Send two letters, such as IL, or the name of one.',
    );
  const at = time ? Date.parse(time) : Date.now();
  const number = e164Of(phone);
  const known = number === undefined ? undefined : await readAnswer(db, user.userId, number, at);
  const terms = await readTerms(db);
  const callability = judged(
    judgeCall({
      phone: number,
      address,
      state: stated,
      postalCode,
      line: lineOf(known?.line),
      scrub: scrubOf(known),
      suppressedSince: await heldSince(db, user.userId, { number, phone }),
      mustNotBeCalled: number !== undefined && (await isToldNotToCall(db, user.userId, number)),
      ...terms,
      calls: number === undefined ? [] : await recentCallsTo(db, number, { at, rules: terms.rules }),
      at,
    }),
  );
  if (number !== undefined) {
    const given = {
      actor: user.userId,
      list: null,
      lead: null,
      number,
      sandbox: known?.sandbox ?? false,
      at,
      callability,
    };
    const evidence = await evidenceVault(db, vault);
    await guardedTransaction(db, async (tx) => {
      await keepingErasuresWaiting.execute(tx);
      await recordGivenVerdict(tx, evidence, given);
    });
  }
  return callability;
}

/**
 * Since when the number is held back, or one of the caller's own leads behind it by any of its keys. A text that is not read as one
 * number, such as one in letters, may name one that is held back all the same.
 */
async function heldSince(
  db: Db,
  userId: string,
  { number, phone }: { number: string | undefined; phone: string },
): Promise<Date | undefined> {
  const since = await suppressedSince(db, 'phone', number ?? phone);
  return since ?? (number === undefined ? undefined : leadSuppressedSince(db, userId, number));
}

const STATUSES = { safe: 'safe', dnc: 'dnc', litigator: 'litigator' } as const;

function scrubOf(known: Answer | undefined): CallQuestion['scrub'] {
  const status = Object.values(STATUSES).find((one) => one === known?.status) ?? 'not_checked';
  const { expired = false, sandbox = false, answered_at: answeredAt } = known ?? {};
  return { status, expired, sandbox, checkedAt: answeredAt?.getTime() };
}

/** What the caller's last check said of a number. A real answer comes before one of the sandbox. */
async function readAnswer(db: Db, userId: string, number: string, at: number): Promise<Answer | undefined> {
  const { rows } = await sql<Answer>`
    select answer ->> 'status' as status, answer ->> 'lineType' as line, sandbox, answered_at,
      coalesce(expires_at <= ${new Date(at)}, false) as expired
    from app.answers
    where user_id = ${userId} and provider = 'searchbug' and operation = 'phone_scrub' and subject = ${number.slice(2)}
    order by sandbox limit 1
  `.execute(db);
  return rows[0];
}

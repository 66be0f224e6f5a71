import { sql } from 'kysely';
import type { SuppressingOutcome } from '#contract/calling/suppressing-outcomes.ts';
import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import type { Ctx } from '#server/http/context.ts';
import { addEntries } from './add-entries.ts';
import { tellHeldLeads } from './held-leads.ts';
import { noteRequest } from './note-request.ts';

/** Who is not to be called again. `value` of a number as E.164. `askedAt`: when the call was. */
type Stop = { kind: 'phone' | 'business'; value: string; note: string; askedAt: Date };

const NOTES: Record<SuppressingOutcome, string> = {
  do_not_call: 'Asked on the phone not to be called.',
  wrong_number: 'Wrong number: someone else answered.',
};
export const NOTE_BESIDE = 'Asked on the phone, at another number of this business, not to be called.';
export const NOTE_OF_PLACE = 'Asked on the phone, at a number of this business, not to be called.';

/**
 * Suppresses a number for everyone, in the transaction that logs the call. It may stand there already. `number` as E.164.
 * - Who asks not to be called is a person, not a number: other numbers of the business are suppressed, too. A mailbox alone may be that of a
 *   whole chain, which did not ask.
 * - Its place as well: another number may be found later.
 */
export async function suppressAfterCall(
  tx: Tx,
  ctx: Ctx,
  {
    number,
    outcome,
    note = NOTES[outcome],
    askedAt,
  }: { number: string; outcome: SuppressingOutcome; note?: string | undefined; askedAt: Date },
): Promise<void> {
  await suppress(tx, ctx, { kind: 'phone', value: number, note, askedAt });
  if (outcome !== 'do_not_call') return;
  for (const beside of await numbersBeside(tx, number))
    await suppress(tx, ctx, { kind: 'phone', value: beside, note: NOTE_BESIDE, askedAt });
  for (const place of await placesOf(tx, number))
    await suppress(tx, ctx, { kind: 'business', value: place, note: NOTE_OF_PLACE, askedAt });
}

async function numbersBeside(tx: Tx, number: string): Promise<string[]> {
  const { rows } = await sql<{ beside: string }>`
    select unnest(app.numbers_beside(${number}, false, false)) as beside
  `.execute(tx);
  return rows.map(({ beside }) => beside);
}

/** Of the leads with a number, as many as app.numbers_beside looks at: a switchboard may be the number of thousands. */
async function placesOf(tx: Tx, number: string): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    with own as materialized (
      select list_id, place_id from public.leads
      where contact_keys @> array['phone:' || ${number}::text] and place_id is not null limit 50
    )
    select distinct own.place_id as place
    from own join public.lists as list on list.id = own.list_id and not coalesce(list.sandbox, false)
  `.execute(tx);
  return rows.map(({ place }) => place);
}

async function suppress(tx: Tx, ctx: Ctx, { kind, value, note, askedAt }: Stop): Promise<void> {
  const by = { source: 'call', addedBy: ctx.user.userId } as const;
  const evidence = await evidenceVault(tx, ctx.deps.vault);
  const { keys: added } = await addEntries(tx, evidence, [{ kind, value, note }], by);
  await noteRequest(tx, evidence, { key: `${kind}:${value}`, askedAt, source: 'call', actor: ctx.user.userId, note });
  if (added.length === 0) return;
  await tellHeldLeads(tx, added);
  const entry = await tx
    .selectFrom('app.suppressions')
    .select('id')
    .where('key', 'in', added)
    .executeTakeFirstOrThrow();
  await writeAudit(tx, ctx, { action: 'suppression.added', target: entry.id, details: { kind } });
}

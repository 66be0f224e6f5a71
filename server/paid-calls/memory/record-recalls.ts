import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Answered, Operation, PayContext } from '#server/paid-calls/operation.ts';

/**
 * Notes which answers a run used again instead of paying for them, each once, with what it had cost.
 * Returns the subjects that had not been noted.
 */
export async function recordRecalls(
  tx: Tx,
  run: PayContext['run'],
  operation: Operation<unknown>,
  answered: readonly Pick<Answered<unknown>, 'subject' | 'callId' | 'known'>[],
): Promise<ReadonlySet<string>> {
  const known = answered.filter((one) => one.known);
  if (known.length === 0) return new Set();
  const { rows } = await sql<{ subject: string }>`
    insert into app.recalls (run_id, operation, subject, user_id, provider, sandbox, paid_call_id, saved_micros)
    select ${run.id}::uuid, ${operation.name}, used.subject, ${run.userId}::uuid, ${operation.provider},
      ${run.sandbox}::boolean, call.id, call.cost_micros
    from unnest(${known.map((one) => one.subject)}::text[], ${known.map((one) => one.callId)}::uuid[]) as used (subject, call_id)
      join app.paid_calls as call on call.id = used.call_id
    order by used.subject
    on conflict do nothing
    returning subject
  `.execute(tx);
  return new Set(rows.map(({ subject }) => subject));
}

import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { thisMonth } from './read-budgets.ts';

/** The owner of kept limits. */
type Holder = { id: string; email: string };

/**
 * Limits that administrators set belong to the address until the month (UTC) is over. An account that is deleted and
 * made again keeps them, and what it spent.
 */
export type KeptLimits = {
  /** Keeps what administrators have set for someone, and what counts against it; nothing where they have set nothing. Safe to repeat. */
  keep(tx: Tx, holder: Holder): Promise<void>;
  /** Gives what is kept for the address to the account that has it now. */
  giveBack(tx: Tx, holder: Holder): Promise<void>;
};

export function createKeptLimits(vault: Pick<Vault, 'fingerprint' | 'fingerprints'>): KeptLimits {
  const text = (email: string) => `address:${email.trim().toLowerCase()}`;
  return {
    async keep(tx, { id, email }) {
      const hash = vault.fingerprint(text(email));
      await sql`delete from app.kept_limits where address_hash = ${hash}`.execute(tx);
      await sql`delete from app.kept_spending where address_hash = ${hash}`.execute(tx);
      await sql`
        insert into app.kept_limits (address_hash, month, budget, limit_micros)
        select ${hash}, ${thisMonth}, budget, limit_micros from app.budgets where user_id = ${id} and set_by = 'admin'
      `.execute(tx);
      await sql`
        insert into app.kept_spending (address_hash, month, provider, sandbox, spent_micros)
        select ${hash}, ${thisMonth}, provider, sandbox, spent_micros
        from app.money_of_month(${id}::uuid, ${thisMonth}) as money
        where spent_micros > 0 and exists (
          select from app.budgets where user_id = ${id} and set_by = 'admin' and budget in ('month', money.provider)
        )
      `.execute(tx);
    },

    async giveBack(tx, { id, email }) {
      const hashes = vault.fingerprints(text(email));
      // Where both accounts of someone had a limit, the smaller one counts.
      await sql`
        with kept as (
          delete from app.kept_limits where address_hash = any(${hashes}) returning month, budget, limit_micros
        )
        insert into app.budgets as own (user_id, budget, set_by, limit_micros)
        select ${id}::uuid, budget, 'admin', min(limit_micros) from kept where month = ${thisMonth} group by budget
        on conflict (user_id, budget, set_by) do update
        set limit_micros = least(own.limit_micros, excluded.limit_micros), updated_at = now()
      `.execute(tx);
      await sql`
        with kept as (
          delete from app.kept_spending where address_hash = any(${hashes}) returning month, provider, sandbox, spent_micros
        )
        insert into app.earlier_spending as own (user_id, month, provider, sandbox, spent_micros)
        select ${id}::uuid, month, provider, sandbox, sum(spent_micros) from kept where month = ${thisMonth}
        group by month, provider, sandbox
        on conflict (user_id, month, provider, sandbox) do update set spent_micros = own.spent_micros + excluded.spent_micros
      `.execute(tx);
    },
  };
}

import { sql } from 'kysely';
import type { UserRow } from '#backend/auth/people/users.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Keeps a confirmed number among its owner's identities, as GoTrue does: there they can take it away by themselves. */
export async function keepPhoneIdentity(tx: Tx, { id, phone, phone_confirmed_at: confirmed }: UserRow): Promise<void> {
  if (!phone || !confirmed) return;
  await tx
    .insertInto('auth.identities')
    .values({
      user_id: id,
      provider: 'phone',
      provider_id: id,
      last_sign_in_at: sql<Date>`now()`,
      identity_data: JSON.stringify({ sub: id, phone, email_verified: false, phone_verified: true }),
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'provider_id']).doUpdateSet((row) => ({
        identity_data: row.ref('excluded.identity_data'),
        last_sign_in_at: sql<Date>`now()`,
        updated_at: sql<Date>`now()`,
      })),
    )
    .execute();
}

/** Takes a number away from its owner, with its identity, a change that is under way and every code that was texted. */
export async function removePhone(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', userId)
    .where('token_type', 'in', ['sms', 'phone_change'])
    .execute();
  await tx.deleteFrom('auth.identities').where('user_id', '=', userId).where('provider', '=', 'phone').execute();
  await tx
    .updateTable('auth.users')
    .set({ phone: null, phone_confirmed_at: null, phone_change: null, phone_change_sent_at: null })
    .where('id', '=', userId)
    .execute();
}

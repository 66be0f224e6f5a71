import { sql } from 'kysely';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { networkOf } from '#db/values/ip-network.ts';

/** Where a request comes from, as far as sign-in cares. */
export type Place = {
  /** A keyed hash of the network. */
  network: string;
  /** Whether the person in question has signed in from there: then it is hardly a stranger who asks. */
  familiar: boolean;
};

/** How many days a network stays familiar without a sign-in. */
const KEPT_DAYS = 180;

/** As it is stored. */
export const printOf = (vault: Vault, ip: string): string => vault.fingerprint(`asked from ${networkOf(ip)}`);

/** Where a request about the person of that id comes from. Without an id nothing is familiar. */
export async function placeOf(
  { db, vault }: Pick<AuthContext, 'db' | 'vault'>,
  userId: string | undefined,
  ip: string,
): Promise<Place> {
  const network = printOf(vault, ip);
  return { network, familiar: userId !== undefined && (await isFamiliar(db, { userId, network, ip })) };
}

/** Sessions count too: those of before networks were remembered, and where the encryption key was exchanged since. */
async function isFamiliar(db: Db, { userId, network, ip }: { userId: string; network: string; ip: string }) {
  const known = await db
    .selectFrom('auth.known_networks')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .executeTakeFirst();
  if (known) return true;
  const sessions = await db
    .selectFrom('auth.sessions')
    .select(sql<string>`host(ip)`.as('ip'))
    .where('user_id', '=', userId)
    .where('ip', 'is not', null)
    .execute();
  return sessions.some((session) => networkOf(session.ip) === networkOf(ip));
}

/** Remembers that someone has signed in from there. */
export async function rememberNetwork(
  db: Db,
  vault: Vault,
  { userId, ip }: { userId: string; ip: string },
): Promise<void> {
  await db
    .insertInto('auth.known_networks')
    .values({ user_id: userId, network: printOf(vault, ip) })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute();
}

/** Forgets the networks from which no one has signed in for long. */
export async function sweepNetworks(db: Db): Promise<void> {
  await sql`delete from auth.known_networks where seen_at < now() - ${KEPT_DAYS} * interval '1 day'`.execute(db);
}

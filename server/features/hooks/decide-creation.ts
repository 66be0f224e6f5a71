import { Email } from '#contract/access/precheck.ts';
import type { Deps } from '#server/deps.ts';
import type { Denial } from './decide-once.ts';
import type { BeforeUserCreated } from './events.ts';

/** May an account be made for this person? Only of someone with an email address; the gate decides about that. */
export async function decideCreation({ gate }: Pick<Deps, 'gate'>, { user }: BeforeUserCreated): Promise<Denial> {
  const email = Email.safeParse(user.email);
  if (!email.success || user.is_anonymous) return 'NO_CONTACT';
  const decision = await gate.decide(email.data);
  return decision.allow ? null : decision.reason;
}

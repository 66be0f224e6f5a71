import type { Caller } from '#backend/auth/kit/caller.ts';
import { EMAIL_PROVIDER, type Newcomer } from '#backend/auth/people/users.ts';
import { askHook } from './ask-hook.ts';
import { hookMetadata } from './hook-metadata.ts';
import type { Hook } from './hook-options.ts';
import type { Site } from './site.ts';

/**
 * Asks whether an account may be made, outside of any transaction: the answer may take seconds.
 * @throws AuthError of `askHook`.
 */
export async function askBeforeUserCreated(
  site: Pick<Site, 'log'>,
  hook: Hook,
  newcomer: Newcomer,
  { ip }: Pick<Caller, 'ip'>,
): Promise<void> {
  const { id, email, provider, metadata } = newcomer;
  await askHook(site, hook, {
    metadata: hookMetadata('before-user-created', ip),
    user: {
      id,
      aud: 'authenticated',
      role: '',
      email,
      phone: '',
      app_metadata: provider === undefined ? EMAIL_PROVIDER : { provider, providers: [provider] },
      user_metadata: metadata,
      identities: [],
      created_at: NEVER,
      updated_at: NEVER,
      is_anonymous: false,
    },
  });
}

/** The times of what is not stored yet. */
const NEVER = '0001-01-01T00:00:00Z';

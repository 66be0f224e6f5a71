import type { AuthContext } from './context.ts';

/** GET /settings: how people can sign in here, in GoTrue's words. */
export const authSettings = ({ identityProviders }: Pick<AuthContext, 'identityProviders'>) => ({
  external: {
    ...{ email: true, phone: false, anonymous_users: false, google: false },
    ...Object.fromEntries(identityProviders.map(({ name }) => [name, true])),
  },
  disable_signup: false,
  mailer_autoconfirm: false,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
  passkeys_enabled: false,
});

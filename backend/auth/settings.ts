import type { AuthContext } from './context.ts';

/** GET /settings: how people can sign in here, in GoTrue's words. */
export const authSettings = ({ identityProviders, sendSms }: Pick<AuthContext, 'identityProviders' | 'sendSms'>) => ({
  external: {
    ...{ email: true, phone: sendSms !== undefined, anonymous_users: false, google: false },
    ...Object.fromEntries(identityProviders.map(({ name }) => [name, true])),
  },
  disable_signup: false,
  mailer_autoconfirm: false,
  phone_autoconfirm: false,
  sms_provider: sendSms ? 'twilio' : '',
  saml_enabled: false,
  passkeys_enabled: false,
});

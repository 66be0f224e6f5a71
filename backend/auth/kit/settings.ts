import { hasSms } from '#backend/auth/phone/send-code.ts';
import type { AuthContext } from './context.ts';

/** GET /settings: how people can sign in here, in GoTrue's words. */
export const authSettings = (context: Pick<AuthContext, 'identityProviders' | 'sendSms' | 'hooks'>) => ({
  external: {
    email: true,
    phone: hasSms(context),
    anonymous_users: false,
    google: false,
    ...Object.fromEntries(context.identityProviders.map(({ name }) => [name, true])),
  },
  disable_signup: false,
  mailer_autoconfirm: false,
  phone_autoconfirm: false,
  sms_provider: hasSms(context) ? 'twilio' : '',
  saml_enabled: false,
  passkeys_enabled: false,
});

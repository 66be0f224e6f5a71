/** GET /settings: how people can sign in here, in GoTrue's words. */
export const AUTH_SETTINGS = {
  external: { email: true, phone: false, anonymous_users: false },
  disable_signup: false,
  mailer_autoconfirm: false,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
  passkeys_enabled: false,
} as const;

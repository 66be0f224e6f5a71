import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MOST_FACTORS } from '#backend/auth/factors/enrol-factor.ts';
import { AUTH_LIFETIMES, AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { newCode } from '#backend/auth/kit/secrets.ts';
import { authSettings } from '#backend/auth/kit/settings.ts';
import { authMail, type MailKind } from '#backend/auth/messages/mail-template.ts';
import { MAX_ROWS } from '#backend/data/range.ts';
import { BEFORE_USER_CREATED_PATH, CUSTOM_ACCESS_TOKEN_PATH } from '#server/features/hooks/events.ts';

const TEXT = readFileSync('supabase/config.toml', 'utf8');

/**
 * The part of TOML that the file keeps to: sections, and values that are the same in JSON.
 * @throws for any other line.
 */
function parse(text: string): Map<string, unknown> {
  const values = new Map<string, unknown>();
  let section = '';
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, name] = /^\[([a-z_.]+)\]$/.exec(line) ?? [];
    const [, key, value = ''] = /^([a-z_]+) = (.+)$/.exec(line) ?? [];
    if (name !== undefined) section = `${name}.`;
    else if (key !== undefined && !values.has(section + key)) values.set(section + key, JSON.parse(value));
    else throw new Error(`Not understood, or there already: ${line}`);
  }
  return values;
}
const config = parse(TEXT);
const seconds = (name: string) => {
  const [, count, unit] = /^(\d+)(s|m)$/.exec(String(config.get(name))) ?? [];
  return Number(count) * (unit === 'm' ? 60 : 1);
};

const SETTINGS = authSettings({ identityProviders: [], sendSms: undefined, hooks: {} });
const [perMinute] = AUTH_LIMITS.texts;
const [perTenSeconds] = AUTH_LIMITS.mails;

test.each([
  ['auth.jwt_expiry', AUTH_LIFETIMES.accessTokenSeconds],
  ['auth.refresh_token_reuse_interval', AUTH_LIFETIMES.refreshReuseMs / 1000],
  ['auth.enable_refresh_token_rotation', true],
  ['auth.enable_signup', !SETTINGS.disable_signup],
  ['auth.enable_anonymous_sign_ins', SETTINGS.external.anonymous_users],
  ['auth.email.enable_signup', SETTINGS.external.email],
  ['auth.email.enable_confirmations', !SETTINGS.mailer_autoconfirm],
  ['auth.email.otp_length', newCode().length],
  ['auth.email.otp_expiry', AUTH_LIFETIMES.mailMs / 1000],
  ['auth.sms.enable_signup', SETTINGS.external.phone],
  ['auth.sms.enable_confirmations', !SETTINGS.phone_autoconfirm],
  ['auth.mfa.max_enrolled_factors', MOST_FACTORS],
  ['auth.mfa.phone.otp_length', newCode().length],
  ['api.max_rows', MAX_ROWS],
])('%s is what our own backend has', (name, value) => {
  expect(config.get(name)).toBe(value);
});

test('limits are those of our own backend, where both can say them', () => {
  expect(seconds('auth.email.max_frequency') * 1000).toBe(perTenSeconds.windowMs);
  for (const name of ['auth.sms.max_frequency', 'auth.mfa.phone.max_frequency'])
    expect(seconds(name) * 1000).toBe(perMinute.windowMs);
  const [tokens] = AUTH_LIMITS.tokens;
  expect(Number(config.get('auth.rate_limit.token_refresh')) * 12).toBe(tokens.hits);
  // Supabase counts these by five minutes: at once never more than we allow in an hour.
  for (const [name, [limit]] of [
    ['sign_in_sign_ups', AUTH_LIMITS.asks],
    ['token_verifications', AUTH_LIMITS.guesses],
  ] as const)
    expect(config.get(`auth.rate_limit.${name}`)).toBeLessThanOrEqual(limit.hits);
});

test('only schema public is exposed, a new address is confirmed by both mailboxes, and people link identities', () => {
  expect(config.get('api.schemas')).toEqual(['public']);
  expect(config.get('auth.email.double_confirm_changes')).toBe(true);
  expect(config.get('auth.enable_manual_linking')).toBe(true);
});

test.each([
  ['before_user_created', BEFORE_USER_CREATED_PATH],
  ['custom_access_token', CUSTOM_ACCESS_TOKEN_PATH],
])('the hook %s asks this product', (name, path) => {
  expect(config.get(`auth.hook.${name}.enabled`)).toBe(true);
  expect(config.get(`auth.hook.${name}.uri`)).toBe(`env(${name.toUpperCase()}_URI)`);
  expect(config.get(`auth.hook.${name}.secrets`)).toBe('env(SUPABASE_HOOK_SECRET)');
  expect(TEXT).toContain(`# https://leads.example${path}\n[auth.hook.${name}]`);
});

test.each(['phone_changed', 'mfa_factor_enrolled', 'mfa_factor_unenrolled', 'identity_linked', 'identity_unlinked'])(
  'an owner is mailed when it comes to %s, as our own backend does',
  (notification) => {
    expect(config.get(`auth.email.notification.${notification}.enabled`)).toBe(true);
  },
);

const MAILS: Record<string, MailKind> = {
  confirmation: 'sign-in',
  magic_link: 'sign-in',
  invite: 'invite',
  recovery: 'recovery',
  reauthentication: 'reauthentication',
};
describe.each(Object.entries(MAILS))('the mail %s', (template, kind) => {
  test('is our own, with what GoTrue fills in', () => {
    const link = kind === 'reauthentication' ? {} : { link: '{{ .ConfirmationURL }}' };
    const mail = authMail(kind, { ...link, code: '{{ .Token }}', siteUrl: '{{ .SiteURL }}' });
    expect(config.get(`auth.email.template.${template}.subject`)).toBe(mail.subject);
    const path = String(config.get(`auth.email.template.${template}.content_path`));
    expect(readFileSync(path, 'utf8')).toBe(mail.html);
  });
});

test('no secret and no address of anyone stands in it, and hosted-supabase.md names each variable', () => {
  const secrets = [...config].filter(([name]) => /(secrets?|pass|user|host|token|key)$/.test(name));
  expect(secrets.map(([, value]) => value)).toEqual(secrets.map(() => expect.stringMatching(/^env\([A-Z_]+\)$/)));
  const guide = readFileSync('docs/hosted-supabase.md', 'utf8');
  const variables = new Set([...TEXT.matchAll(/"env\((\w+)\)"/g)].map(([, name = '']) => name));
  expect([...variables].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BadEnvironment, outboxOf, publicUrlOf, readEnv, strangersMayCome } from './env.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');
const supabase = {
  SUPABASE_URL: 'https://abc.supabase.example/',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_1',
  SUPABASE_SECRET_KEY: 'sb_secret_1',
  DATABASE_URL: 'postgres://u:p@db.example/app',
  ENCRYPTION_KEYS: KEY,
};

function complaintOf(source: Record<string, string>): string {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message;
    throw error;
  }
  return '';
}

describe('readEnv', () => {
  test('has a default for everything', () => {
    expect(readEnv({})).toEqual({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      publicUrl: undefined,
      dataDir: resolve('data'),
      storageDir: resolve('data/storage'),
      databaseUrl: undefined,
      supabase: undefined,
      hookSecrets: [],
      identityProviders: [],
      role: 'all',
      drainSeconds: 0,
      encryptionKeys: [],
      smtpUrl: undefined,
      smtpAllowPlain: false,
      mailFrom: undefined,
      adminEmails: [],
      sandbox: true,
      sandboxPlacesCsv: undefined,
      googlePlacesUrl: 'https://places.googleapis.com',
      googleAreaInsightsUrl: 'https://areainsights.googleapis.com',
      hunterUrl: 'https://api.hunter.io',
      searchbugUrl: 'https://data.searchbug.com',
      keapAccountsUrl: 'https://accounts.infusionsoft.com',
      keapApiUrl: 'https://api.infusionsoft.com',
      crmGraceHours: 24,
      supportUrl: 'mailto:support@fairlead.example',
      trustProxy: [],
    });
  });

  test('reads who may say who people are; the sandbox stands in for a client id that names it', () => {
    const secrets = { GOOGLE_CLIENT_SECRET: 'g', OIDC_CLIENT_SECRET: 'o' };
    const harbour = { OIDC_NAME: 'harbour', OIDC_ISSUER: 'https://id.harbour.example/', OIDC_CLIENT_ID: 'fairlead' };
    const real = readEnv({ GOOGLE_CLIENT_ID: 'web, phone', ...harbour, ...secrets });
    expect(real.identityProviders).toEqual([
      { name: 'google', issuer: 'https://accounts.google.com', clientIds: ['web', 'phone'], clientSecret: 'g' },
      { name: 'custom:harbour', issuer: 'https://id.harbour.example/', clientIds: ['fairlead'], clientSecret: 'o' },
    ]);
    const simulated = { GOOGLE_CLIENT_ID: 'sandbox' };
    expect(readEnv(simulated).identityProviders).toMatchObject([{ name: 'google', issuer: undefined }]);
    expect([real, readEnv(simulated)].map(strangersMayCome)).toEqual([true, false]);
    expect(readEnv({ ...simulated, SANDBOX: 'off' }).identityProviders).toEqual([]);
    const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example', SANDBOX: 'on' };
    expect(complaintOf({ ...simulated, ...production })).toMatch('GOOGLE_CLIENT_ID must not name the sandbox');
    expect(complaintOf({ GOOGLE_CLIENT_ID: 'web' })).toMatch('GOOGLE_CLIENT_SECRET is needed');
    expect(complaintOf({ OIDC_CLIENT_ID: 'web', OIDC_CLIENT_SECRET: 'x' })).toMatch('OIDC_ISSUER is needed');
    expect(complaintOf({ ...harbour, OIDC_ISSUER: 'http://id.harbour.example' })).toMatch('OIDC_ISSUER must be');
    expect(complaintOf({ ...supabase, ...simulated })).toMatch('GOOGLE_CLIENT_ID has no effect with SUPABASE_URL');
  });

  test('takes empty and blank for unset', () => {
    expect(readEnv({ PORT: '', HOST: '  ', DATABASE_URL: '', ROLE: ' ', ENCRYPTION_KEYS: '' })).toEqual(readEnv({}));
  });

  test('reads lists, trims, lower-cases addresses, and drops slashes at the end', () => {
    const env = readEnv({
      PORT: ' 8080 ',
      PUBLIC_URL: 'https://leads.example/',
      SMTP_URL: 'smtp://mail.example',
      ADMIN_EMAILS: 'Ann@Leads.Example, bob@leads.example,',
      ENCRYPTION_KEYS: `${KEY}, ${OTHER_KEY}`,
      TRUST_PROXY: '10.0.0.0/8, ::1,loopback',
      HUNTER_URL: 'http://127.0.0.1:9/hunter/',
      DATA_DIR: 'elsewhere',
    });
    expect(env).toMatchObject({
      port: 8080,
      publicUrl: 'https://leads.example',
      adminEmails: ['ann@leads.example', 'bob@leads.example'],
      encryptionKeys: [KEY, OTHER_KEY],
      trustProxy: ['10.0.0.0/8', '::1', 'loopback'],
      hunterUrl: 'http://127.0.0.1:9/hunter',
      dataDir: resolve('elsewhere'),
    });
  });

  test('reads hosted Supabase', () => {
    expect(readEnv(supabase).supabase).toEqual({
      url: 'https://abc.supabase.example',
      publishableKey: 'sb_publishable_1',
      secretKey: 'sb_secret_1',
      jwtSecret: undefined,
    });
    expect(readEnv(supabase).secretKey).toBeUndefined();
  });

  test('reads what opens our own backend, where Supabase does not answer', () => {
    const SUPABASE_SECRET_KEY = `sb_secret_${'k'.repeat(32)}`;
    expect(readEnv({ SUPABASE_SECRET_KEY }).secretKey).toBe(SUPABASE_SECRET_KEY);
    expect(readEnv({}).secretKey).toBeUndefined();
  });

  test('reads the secrets of webhooks however they are parted', () => {
    const secrets = [KEY, OTHER_KEY].map((key) => `whsec_${key}`);
    for (const separator of [',', ' ', ', ', '|'])
      for (const prefix of ['v1,', ''])
        expect(
          readEnv({ SUPABASE_HOOK_SECRET: secrets.map((one) => `${prefix}${one}`).join(separator) }).hookSecrets,
        ).toEqual(secrets);
  });

  test.each([
    [{}, true],
    [{ SANDBOX: 'off' }, false],
    [{ NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example' }, false],
    [{ NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example', SANDBOX: 'on' }, true],
  ])('with %j the sandbox is on: %s', (source, sandbox) => {
    expect(readEnv(source).sandbox).toBe(sandbox);
  });

  test('the public address follows the port that is really used', () => {
    expect(publicUrlOf(readEnv({ PORT: '0' }), 40_123)).toBe('http://localhost:40123');
    const SMTP_URL = 'smtp://mail.example';
    expect(publicUrlOf(readEnv({ PUBLIC_URL: 'https://leads.example', SMTP_URL }), 40_123)).toBe(
      'https://leads.example',
    );
  });

  test.each([undefined, 'http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]', 'http://127.9.9.9'])(
    'a trial at %s keeps its mail',
    (PUBLIC_URL) => {
      expect(outboxOf(readEnv({ PUBLIC_URL }))).toBe(resolve('data/outbox'));
    },
  );

  test.each([
    'https://leads.example',
    'http://localhost.leads.example',
    'http://10.0.0.1:3000',
    'http://127.0.0.1.leads.example',
  ])('there is no mailbox at %s, and without mail no start where no one could sign in', (PUBLIC_URL) => {
    expect(complaintOf({ PUBLIC_URL })).toMatch(/SMTP_URL is needed when PUBLIC_URL .* no one could sign in/);
    expect(complaintOf({ PUBLIC_URL, GOOGLE_CLIENT_ID: 'sandbox' })).toContain('SMTP_URL is needed');
    const google = { GOOGLE_CLIENT_ID: 'web', GOOGLE_CLIENT_SECRET: 'g' };
    for (const how of [google, { SMTP_URL: 'smtp://mail.example' }, { ROLE: 'worker' }, supabase])
      expect(outboxOf(readEnv({ PUBLIC_URL, ...how }))).toBeUndefined();
  });
});

describe('readEnv refuses', () => {
  test.each([
    ['PORT', '70000'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'leads.example'],
    ['PUBLIC_URL', 'https://leads.example/?a=1'],
    ['DATABASE_URL', 'mysql://u:p@db.example/app'],
    ['SUPABASE_URL', 'abc.supabase.example'],
    ['SUPABASE_HOOK_SECRET', ',v1,'],
    ['SUPABASE_HOOK_SECRET', `v1,${KEY}`],
    ['SUPABASE_HOOK_SECRET', 'v1,whsec_c2hvcnQ='],
    ['SUPABASE_HOOK_SECRET', `v1,whsec_${KEY},v1a,whsk_${KEY}`],
    ['ROLE', 'king'],
    ['ENCRYPTION_KEYS', 'tooshort'],
    ['ENCRYPTION_KEYS', `${KEY},zzzz`],
    ['SMTP_URL', 'https://mail.example'],
    ['SMTP_ALLOW_PLAIN', 'yes'],
    ['MAIL_FROM', 'Fairlead'],
    ['ADMIN_EMAILS', 'ann@leads.example,nobody'],
    ['SANDBOX', 'maybe'],
    ['SANDBOX_PLACES_CSV', '/nowhere/places.csv'],
    ['GOOGLE_PLACES_URL', 'ftp://places.example'],
    ['HUNTER_URL', 'hunter'],
    ['SEARCHBUG_URL', 'searchbug'],
    ['KEAP_ACCOUNTS_URL', 'keap'],
    ['KEAP_API_URL', 'keap'],
    ['SUPPORT_URL', 'javascript:alert(1)'],
    ['DRAIN_SECONDS', '301'],
    ['CRM_GRACE_HOURS', 'ten'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'proxy.example'],
  ])('%s=%s, by name and without its value', (name, value) => {
    const message = complaintOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^  ${name} (must|names) `, 'm'));
    expect(message).not.toContain(value);
  });

  const contradictions: [Record<string, string>, string][] = [
    [{ NODE_ENV: 'production' }, 'SMTP_URL is needed in production'],
    [{ DATABASE_URL: 'postgres://db.example/app' }, 'ENCRYPTION_KEYS is needed when DATABASE_URL is set'],
    [{ DATABASE_DIRECT_URL: 'postgres://db.example/app' }, 'DATABASE_URL is needed when DATABASE_DIRECT_URL is set'],
    [{ ROLE: 'worker' }, 'PUBLIC_URL is needed when ROLE is worker'],
    [{ SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_1' }, 'SUPABASE_PUBLISHABLE_KEY has no effect without SUPABASE_URL'],
    [{ SUPABASE_JWT_SECRET: 's'.repeat(32) }, 'SUPABASE_JWT_SECRET has no effect without SUPABASE_URL'],
    [{ SUPABASE_SECRET_KEY: 'sb_secret_1' }, 'SUPABASE_SECRET_KEY must be sb_secret_ and at least 32'],
    ...(['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY', 'DATABASE_URL'] as const).map(
      (name): [Record<string, string>, string] => [
        { ...supabase, [name]: '' },
        `${name} is needed when SUPABASE_URL is set`,
      ],
    ),
  ];
  test.each(contradictions)('%j: %s', (source, message) => {
    expect(complaintOf(source)).toContain(message);
  });

  test('everything that is wrong in one message', () => {
    const message = complaintOf({ PORT: 'x', ROLE: 'y', NODE_ENV: 'production', SANDBOX: 'z' });
    expect(message.match(/^ {2}[A-Z_]+/gm)).toEqual(['  PORT', '  ROLE', '  SANDBOX', '  SMTP_URL']);
  });
});

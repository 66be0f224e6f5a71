import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod/mini';

const KEY_BYTES = 32;
/** What Standard Webhooks allows. */
const HOOK_SECRET_BYTES = { least: 24, most: 64 };
const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const port = z.pipe(z.string().check(z.refine(isPort, 'must be a whole number from 0 to 65535')), z.transform(Number));

const url = (...protocols: string[]) =>
  z
    .string()
    .check(
      z.refine(
        (value) => protocols.includes(URL.parse(value)?.protocol ?? ''),
        `must be an address that starts with ${protocols.join('// or ')}//`,
      ),
    );
const wholeNumber = (most: number, unit: string) =>
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (value) => /^\d{1,9}$/.test(value) && Number(value) <= most,
          `must be a whole number of ${unit}, up to ${most}`,
        ),
      ),
    z.transform(Number),
  );
const webUrl = z.pipe(
  url('http:', 'https:').check(
    z.refine((value) => !/[?#]/.test(value), 'must be an address without a query or a fragment'),
  ),
  z.transform((value) => value.replace(/\/+$/, '')),
);
const path = z.pipe(
  z.string(),
  z.transform((value) => resolve(value)),
);
const folder = z.pipe(
  path,
  z.string().check(z.refine((value) => !isFile(value), 'must name a folder, but names a file')),
);
const listOf = (isGood: (part: string) => boolean, message: string) =>
  z.pipe(
    z.pipe(z.string(), z.transform(splitAtCommas)),
    z.array(z.string()).check(z.refine((parts) => parts.every(isGood), message)),
  );

const clientIds = listOf((part) => /^\S+$/.test(part), 'must be client IDs, separated by commas');
/** As the provider writes it, slashes included: it must be the same to the letter. */
const issuer = z
  .string()
  .check(
    z.refine(
      (value) => /^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(value) && URL.canParse(value),
      'must be an address that starts with https://',
    ),
  );

/** The variables that are read, as written, each with its own rules; messages say what is wrong and never the value. */
export const Variables = z.object({
  NODE_ENV: z.optional(z.string()),
  PORT: z._default(port, 3000),
  METRICS_PORT: z.optional(port),
  HOST: z._default(z.string(), '127.0.0.1'),
  PUBLIC_URL: z.optional(webUrl),
  DATA_DIR: z._default(folder, resolve('data')),
  STORAGE_DIR: z.optional(folder),
  DATABASE_URL: z.optional(url('postgres:', 'postgresql:')),
  DATABASE_OWNER_URL: z.optional(url('postgres:', 'postgresql:')),
  DATABASE_DIRECT_URL: z.optional(url('postgres:', 'postgresql:')),
  SUPABASE_URL: z.optional(webUrl),
  SUPABASE_PUBLISHABLE_KEY: z.optional(z.string()),
  SUPABASE_SECRET_KEY: z.optional(z.string()),
  SUPABASE_JWT_SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  SUPABASE_HOOK_SECRET: z._default(
    z.pipe(
      z.pipe(z.string(), z.transform(splitHookSecrets)),
      z
        .array(z.string())
        .check(
          z.refine(
            (secrets) => secrets.length > 0 && secrets.every(isHookSecret),
            'must be secrets of the form v1,whsec_<base64>, separated by spaces or commas',
          ),
        ),
    ),
    [],
  ),
  ROLE: z._default(z.enum(['all', 'web', 'worker'], 'must be all, web or worker'), 'all'),
  DRAIN_SECONDS: z._default(wholeNumber(300, 'seconds'), 0),
  ENCRYPTION_KEYS: z._default(
    listOf(
      isEncryptionKey,
      'must be keys of 32 bytes in base64, separated by commas (make one with: openssl rand -base64 32)',
    ),
    [],
  ),
  SMTP_URL: z.optional(url('smtp:', 'smtps:')),
  SMTP_ALLOW_PLAIN: z._default(z.enum(['0', '1'], 'must be 1 or 0'), '0'),
  TWILIO_ACCOUNT_SID: z.optional(z.string()),
  TWILIO_AUTH_TOKEN: z.optional(z.string()),
  TWILIO_FROM: z.optional(
    z
      .string()
      .check(
        z.regex(/^(\+\d{7,15}|MG[\da-f]{32})$/, 'must be a number such as +12175550100, or a messaging service (MG…)'),
      ),
  ),
  TWILIO_URL: z._default(webUrl, 'https://api.twilio.com'),
  MAIL_FROM: z.optional(
    z.string().check(z.refine((value) => /[^\s@<]+@[^\s@>]+/.test(value), 'must contain an email address')),
  ),
  ADMIN_EMAILS: z._default(
    listOf((part) => /^[^\s@]+@[^\s@]+$/.test(part), 'must be email addresses, separated by commas'),
    [],
  ),
  GOOGLE_CLIENT_ID: z._default(clientIds, []),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_ISSUER: z._default(issuer, 'https://accounts.google.com'),
  OIDC_NAME: z._default(
    z
      .string()
      .check(
        z.refine((value) => /^[a-z][a-z0-9-]{0,29}$/.test(value), 'must be lower-case letters, digits and hyphens'),
      ),
    'company',
  ),
  OIDC_ISSUER: z.optional(issuer),
  OIDC_CLIENT_ID: z._default(clientIds, []),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  SANDBOX: z.optional(z.enum(['on', 'off'], 'must be on or off')),
  SANDBOX_PLACES_CSV: z.optional(z.pipe(path, z.string().check(z.refine(isFile, 'must name an existing file')))),
  GOOGLE_PLACES_URL: z._default(webUrl, 'https://places.googleapis.com'),
  GOOGLE_AREA_INSIGHTS_URL: z._default(webUrl, 'https://areainsights.googleapis.com'),
  WEBSITES_URL: z.optional(webUrl),
  DNS_SERVER: z.optional(
    z.string().check(z.refine(isNameServer, 'must be an IP address and a port, such as 127.0.0.1:53 or [::1]:53')),
  ),
  HUNTER_URL: z._default(webUrl, 'https://api.hunter.io'),
  SEARCHBUG_URL: z._default(webUrl, 'https://data.searchbug.com'),
  KEAP_ACCOUNTS_URL: z._default(webUrl, 'https://accounts.infusionsoft.com'),
  KEAP_API_URL: z._default(webUrl, 'https://api.infusionsoft.com'),
  CRM_GRACE_HOURS: z._default(wholeNumber(9_999, 'hours'), 24),
  SUPPORT_URL: z._default(
    z
      .string()
      .check(z.refine((value) => /^(https?:\/\/|mailto:)\S+$/.test(value), 'must start with https:// or mailto:')),
    'mailto:support@fairlead.example',
  ),
  TRUST_PROXY: z._default(
    listOf(isAddressRange, 'must be IP addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas'),
    [],
  ),
});
export type Variables = z.infer<typeof Variables>;

function splitAtCommas(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Every form in which Supabase shows or stores them: with or without `v1,`, parted by commas, spaces or bars. */
function splitHookSecrets(value: string): string[] {
  return value.split(/[\s,|]+/).filter((part) => part !== '' && part !== 'v1');
}

function isHookSecret(value: string): boolean {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1] ?? '';
  const { length } = Buffer.from(base64, 'base64');
  return length >= HOOK_SECRET_BYTES.least && length <= HOOK_SECRET_BYTES.most;
}

function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535;
}

function isEncryptionKey(value: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length === KEY_BYTES;
}

function isAddressRange(value: string): boolean {
  if (value === 'loopback') return true;
  const [address = '', bits, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function isNameServer(text: string): boolean {
  const [, v6, v4 = '', digits = ''] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? [];
  return isIP(v6 ?? v4) === (v6 ? 6 : 4) && isPort(digits) && Number(digits) > 0;
}

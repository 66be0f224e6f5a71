import { join } from 'node:path';
import type { ProvidersOptions } from '#providers/registry.ts';
import { isLoopbackUrl } from '#server/lib/loopback.ts';
import { type ConfiguredIssuer, hasRealIssuer, issuerProblems, issuersOf } from './env-issuers.ts';
import { Variables } from './env-variables.ts';

/** A project of hosted Supabase. */
export type HostedSupabase = {
  /** Without a slash at the end. */
  url: string;
  publishableKey: string;
  secretKey: string;
  /** Only for a project that still signs tokens with a shared secret (HS256). */
  jwtSecret: string | undefined;
};

/** The configuration, parsed. Lists are empty, not absent; addresses have no slash at the end; paths are absolute. */
export type Env = {
  /** NODE_ENV=production: no mailbox, no sandbox unless asked for, logs at info. */
  production: boolean;
  /** 0 asks the system for a free port. */
  port: number;
  host: string;
  /** Where this machine can read /metrics; absent: nowhere. */
  metricsPort: number | undefined;
  /** Only if set: see publicUrlOf. */
  publicUrl: string | undefined;
  dataDir: string;
  /** Where stored files are; processes on one database share it. */
  storageDir: string;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Who owns that database and changes its schema, where `databaseUrl` is a login that may not. */
  databaseOwnerUrl: string | undefined;
  /** The way to that database past a pooler, for what listens. */
  databaseDirectUrl: string | undefined;
  /** Hosted Supabase instead of the embedded backend. */
  supabase: HostedSupabase | undefined;
  /** Opens the admin API of our own backend. Absent: no one has one. */
  secretKey: string | undefined;
  /** `whsec_` and base64; with any of them hosted Supabase signs what it asks by webhook. Empty: it may not ask. */
  hookSecrets: string[];
  /** By whose word people may sign in at our own backend. An issuer is undefined where the sandbox stands in its place. */
  identityProviders: ConfiguredIssuer[];
  role: 'all' | 'web' | 'worker';
  /** For how long a process that was told to stop goes on serving while it says that it is not ready, in seconds. */
  drainSeconds: number;
  /** 32 bytes each, in base64; the first encrypts, all decrypt. Empty: generate one into `dataDir` (embedded only). */
  encryptionKeys: string[];
  smtpUrl: string | undefined;
  /** Whether mail may go unencrypted to a mail server on another machine. */
  smtpAllowPlain: boolean;
  /** The provider of text messages. Absent: none, or the mailbox. */
  twilio: ProvidersOptions['twilio'];
  mailFrom: string | undefined;
  /** Lower-case. */
  adminEmails: string[];
  sandbox: boolean;
  sandboxPlacesCsv: string | undefined;
  googlePlacesUrl: string;
  googleAreaInsightsUrl: string;
  /** What stands in for the websites of the world. Absent: the internet. */
  websitesUrl: string | undefined;
  /** "host:port" of the name server that their names are sent to. Absent: the system's. */
  dnsServer: string | undefined;
  hunterUrl: string;
  searchbugUrl: string;
  keapAccountsUrl: string;
  keapApiUrl: string;
  /** For how long people whom the CRM once let in stay signed in while it cannot be asked. */
  crmGraceHours: number;
  supportUrl: string;
  /** IP addresses, CIDR ranges and `loopback` whose forwarding headers are believed. */
  trustProxy: string[];
};

/** The environment cannot be used. The message names every bad variable and never a value. */
export class BadEnvironment extends Error {
  override name = 'BadEnvironment';
}

/**
 * Parses the configuration once, from e.g. process.env. Empty means unset.
 * @throws BadEnvironment with all that is wrong.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const set = Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []));
  const given = Object.fromEntries(set) as Record<string, string>;
  const parsed = Variables.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ...contradictions(given),
  ];
  if (!parsed.success || problems.length > 0)
    throw new BadEnvironment(
      `The configuration cannot be used (environment or .env; values are not shown):\n${[...new Set(problems)]
        .map((problem) => `  ${problem}`)
        .join('\n')}`,
    );
  return toEnv(parsed.data);
}

/** Where the third parties are. */
export const providerUrlsOf = (env: Env): ProvidersOptions['urls'] => ({
  google_places: env.googlePlacesUrl,
  hunter_io: env.hunterUrl,
  searchbug: env.searchbugUrl,
  areaInsights: env.googleAreaInsightsUrl,
  keap: { accounts: env.keapAccountsUrl, api: env.keapApiUrl },
});

/** Whether others than who reads this machine's terminal can prove an address: mail leaves it, or others tell who people are. */
export const strangersMayCome = ({ smtpUrl, supabase, identityProviders }: Env): boolean =>
  smtpUrl !== undefined || supabase !== undefined || identityProviders.some(({ issuer }) => issuer !== undefined);

/** PUBLIC_URL, or where this machine reaches the server that listens on `port`. */
export function publicUrlOf(env: Env, port: number): string {
  return env.publicUrl ?? `http://localhost:${port}`;
}

/**
 * The folder where a trial keeps mail and texts instead of sending them.
 * Undefined without a trial, where mail can really be sent, and at a public address: what a relay passes on looks local.
 */
export const outboxOf = ({ smtpUrl, supabase, sandbox, dataDir, publicUrl }: Env): string | undefined =>
  smtpUrl || supabase || !sandbox || isPublic(publicUrl) ? undefined : join(dataDir, 'outbox');

const isPublic = (publicUrl: string | undefined): boolean => publicUrl !== undefined && !isLoopbackUrl(publicUrl);

/** What opens our own backend. Supabase's are of its making. */
const OWN_SECRET_KEY = /^sb_secret_[\w-]{32,}$/;

function contradictions(given: Record<string, string>): string[] {
  const problems: string[] = [];
  const needs = (name: string, why: string) => {
    if (!given[name]) problems.push(`${name} ${why}`);
  };
  if (given.SUPABASE_URL) {
    for (const name of ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY', 'DATABASE_URL'])
      needs(name, 'is needed when SUPABASE_URL is set');
  } else {
    for (const name of ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_JWT_SECRET'])
      if (given[name]) problems.push(`${name} has no effect without SUPABASE_URL`);
    if (given.SUPABASE_SECRET_KEY && !OWN_SECRET_KEY.test(given.SUPABASE_SECRET_KEY))
      problems.push(
        'SUPABASE_SECRET_KEY must be sb_secret_ and at least 32 letters or digits (make one with: echo "sb_secret_$(openssl rand -hex 24)")',
      );
    if (given.NODE_ENV === 'production')
      needs('SMTP_URL', 'is needed in production: without it no one can receive a sign-in link');
    else if (isPublic(given.PUBLIC_URL) && given.ROLE !== 'worker' && !hasRealIssuer(given))
      needs(
        'SMTP_URL',
        'is needed when PUBLIC_URL is not an address of this machine: without a mailbox, no one could sign in',
      );
  }
  problems.push(...issuerProblems(given));
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'])
    if (given[name]) needs('DATABASE_URL', `is needed when ${name} is set`);
  if (given.ROLE === 'web' || given.ROLE === 'worker')
    needs(
      'PUBLIC_URL',
      `is needed when ROLE is ${given.ROLE}: all processes share one address, and links in emails lead there`,
    );
  if (given.DATABASE_URL)
    needs(
      'ENCRYPTION_KEYS',
      'is needed when DATABASE_URL is set: all processes share it, and it must not be lost (make one with: openssl rand -base64 32)',
    );
  const twilio = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'];
  if (twilio.some((name) => given[name])) for (const name of twilio) needs(name, 'is needed to send text messages');
  return problems;
}

function toEnv(variables: Variables): Env {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey, SUPABASE_SECRET_KEY: secretKey } = variables;
  const jwtSecret = variables.SUPABASE_JWT_SECRET;
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = variables;
  const production = variables.NODE_ENV === 'production';
  const sandbox = variables.SANDBOX ? variables.SANDBOX === 'on' : !production;
  return {
    production,
    port: variables.PORT,
    host: variables.HOST,
    metricsPort: variables.METRICS_PORT,
    publicUrl: variables.PUBLIC_URL,
    dataDir: variables.DATA_DIR,
    storageDir: variables.STORAGE_DIR ?? join(variables.DATA_DIR, 'storage'),
    databaseUrl: variables.DATABASE_URL,
    databaseOwnerUrl: variables.DATABASE_OWNER_URL,
    databaseDirectUrl: variables.DATABASE_DIRECT_URL,
    supabase: url && publishableKey && secretKey ? { url, publishableKey, secretKey, jwtSecret } : undefined,
    secretKey: url ? undefined : secretKey,
    hookSecrets: variables.SUPABASE_HOOK_SECRET,
    identityProviders: issuersOf(variables, sandbox),
    role: variables.ROLE,
    drainSeconds: variables.DRAIN_SECONDS,
    encryptionKeys: variables.ENCRYPTION_KEYS,
    smtpUrl: variables.SMTP_URL,
    smtpAllowPlain: variables.SMTP_ALLOW_PLAIN === '1',
    twilio: sid && authToken && from ? { accountSid: sid, authToken, from, baseUrl: variables.TWILIO_URL } : undefined,
    mailFrom: variables.MAIL_FROM,
    adminEmails: variables.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    sandbox,
    sandboxPlacesCsv: variables.SANDBOX_PLACES_CSV,
    googlePlacesUrl: variables.GOOGLE_PLACES_URL,
    googleAreaInsightsUrl: variables.GOOGLE_AREA_INSIGHTS_URL,
    websitesUrl: variables.WEBSITES_URL,
    dnsServer: variables.DNS_SERVER,
    hunterUrl: variables.HUNTER_URL,
    searchbugUrl: variables.SEARCHBUG_URL,
    keapAccountsUrl: variables.KEAP_ACCOUNTS_URL,
    keapApiUrl: variables.KEAP_API_URL,
    crmGraceHours: variables.CRM_GRACE_HOURS,
    supportUrl: variables.SUPPORT_URL,
    trustProxy: variables.TRUST_PROXY,
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, SandboxReply, SandboxRequest, Simulation } from '#sandbox/wire.ts';
import { type KeapContacts, keapTags } from './keap-contacts.ts';
import { consentPage, mistakePage } from './keap-page.ts';
import { pageOf } from './keap-pages.ts';
import { contactsById, emailStatus, taggedContacts } from './keap-people.ts';
import { createKeapTokens, type KeapTokens } from './keap-tokens.ts';

const AUTHORIZE = '/app/oauth/authorize';
const TOKEN = '/token';
const TOKEN_SECONDS = 86_399;
/** Longer than anyone waits who signs in. */
const SLOW_MS = 8_000;

/** Keap's OAuth 2.0 and the part of its REST v2 that tells who holds which tags and who opted out. The key is the client id. */
export function simulateKeap(contacts: KeapContacts): Simulation {
  const tokens = createKeapTokens();
  return {
    page: (request) => (request.path === AUTHORIZE ? authorize(request, tokens) : undefined),
    keyOf(request) {
      if (request.path === TOKEN) return clientOf(request)?.id;
      const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
      return bearer && tokens.clientOf(bearer);
    },
    answer(request) {
      if (request.method === 'POST' && request.path === TOKEN) return free('token', grant(request, tokens));
      if (request.method === 'GET' && request.path === '/crm/rest/v2/contacts') return findContacts(request, contacts);
      if (request.method === 'GET' && request.path === '/crm/rest/v2/tags')
        return paid('tags', listTags(request.query));
      if (request.method === 'GET') {
        const [, tagId] = /^\/crm\/rest\/v2\/tags\/([^/]+)\/contacts$/.exec(request.path) ?? [];
        if (tagId) return paid(`tagged ${tagId}`, taggedContacts(tagId, request.query, contacts) ?? outOfRange);
        const [, email] = /^\/crm\/rest\/v2\/emailAddresses\/([^/]+)\/status$/.exec(request.path) ?? [];
        if (email) return statusOf(decodeURIComponent(email), contacts);
      }
      return paid(request.path, refusal(404, 'NOT_FOUND', 'There is nothing at this address'));
    },
    badKey: () => ({
      status: 401,
      body: {
        fault: { faultstring: 'Invalid access token', detail: { errorcode: 'oauth.v2.InvalidAccessToken' } },
      },
    }),
    outOfCredit: () => ({ ...tooMany, headers: { 'x-keap-product-quota-available': '0' } }),
    rateLimited: () => ({ ...tooMany, headers: { 'x-keap-product-throttle-available': '0' } }),
    down: () => ({ status: 503, body: { message: 'Service unavailable', cause: null, stackTrace: [] } }),
  };
}

/** GET shows the screen; its form comes back as POST, and sends the browser on. */
function authorize({ method, query, body }: SandboxRequest, tokens: KeapTokens): SandboxReply {
  const given = method === 'POST' ? new URLSearchParams(body) : query;
  const clientId = given.get('client_id') ?? '';
  const redirectUri = given.get('redirect_uri') ?? '';
  const state = given.get('state') ?? '';
  const target = URL.parse(redirectUri);
  if (clientId === '') return mistakePage('The client_id is missing.');
  if (!target || !/^https?:$/.test(target.protocol)) return mistakePage('The redirect_uri is missing or not valid.');
  if (method !== 'POST') {
    if (query.get('response_type') !== 'code') return mistakePage('The response_type must be code.');
    return consentPage({ clientId, redirectUri, state });
  }
  if (given.get('decision') === 'allow') {
    target.searchParams.set('code', tokens.issueCode(clientId, redirectUri));
    target.searchParams.set('scope', scopeOf(clientId));
  } else target.searchParams.set('error', 'access_denied');
  if (state) target.searchParams.set('state', state);
  return { status: 303, headers: { location: target.href, 'cache-control': 'no-store' }, body: '' };
}

/** Each client is connected to an account of its own. */
const scopeOf = (clientId: string): string => `full|${encodeURIComponent(clientId)}.infusionsoft.example`;

/** The client that a token request names, in its header or its form. */
function clientOf({ headers, body }: SandboxRequest): { id: string; secret: string } | undefined {
  const basic = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1];
  const form = new URLSearchParams(body);
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString('utf8').split(/:(.*)/s)
    : [form.get('client_id'), form.get('client_secret')];
  return id && secret ? { id, secret } : undefined;
}

function grant(request: SandboxRequest, tokens: KeapTokens): SandboxReply {
  const form = new URLSearchParams(request.body);
  const client = clientOf(request);
  if (!client || !/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? ''))
    return oauthRefusal('invalid_request', 'The request is missing a required parameter');
  const given =
    form.get('grant_type') === 'refresh_token'
      ? tokens.rotate(form.get('refresh_token') ?? '', client.id)
      : tokens.spendCode(form.get('code') ?? '', client.id, form.get('redirect_uri') ?? '');
  if (!given)
    return form.get('grant_type') === 'refresh_token'
      ? oauthRefusal('invalid_request', 'Invalid Refresh Token')
      : oauthRefusal('invalid_grant', 'Invalid Code');
  const { accessToken, refreshToken } = given;
  return {
    status: 200,
    body: {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: TOKEN_SECONDS,
      refresh_token: refreshToken,
      scope: scopeOf(client.id),
    },
  };
}

/** Understands `filter=email==…` or `filter=ids==…` and nothing else: a filter that says more was not what the product meant. */
async function findContacts({ query }: SandboxRequest, contacts: KeapContacts): Promise<Answer> {
  const filter = query.get('filter') ?? '';
  const ids = /^ids==(\d+(?:,\d+)*)$/.exec(filter)?.[1];
  if (ids) return paid('contacts by id', contactsById(ids.split(','), contacts));
  const email = /^email==([^;*=]+@[^;*=]+)$/.exec(filter)?.[1];
  if (!email) return paid('contacts', refusal(400, 'INVALID_ARGUMENT', `The filter ${filter} cannot be used`));
  const subject = `contacts ${email}`;
  if (email.includes('keapdown')) return paid(subject, refusal(503, 'UNAVAILABLE', 'Contacts are not available'));
  if (email.includes('keapslow')) await wait(SLOW_MS);
  const tagIds = contacts.tagIdsOf(email);
  const found = tagIds
    ? [{ id: '1', email_addresses: [{ email, field: 'EMAIL1', email_opt_status: 'SINGLE_OPT_IN' }], tag_ids: tagIds }]
    : [];
  return paid(subject, { status: 200, body: { contacts: found, next_page_token: '' } });
}

function statusOf(email: string, contacts: KeapContacts): Answer {
  const subject = `status ${email}`;
  if (email.includes('keapdown')) return paid(subject, refusal(503, 'UNAVAILABLE', 'Statuses are not available'));
  return paid(subject, emailStatus(email, contacts) ?? refusal(404, 'NOT_FOUND', 'There is no such email address'));
}

function listTags(query: URLSearchParams): SandboxReply {
  const page = pageOf(
    keapTags.toSorted((a, b) => a.name.localeCompare(b.name)),
    query,
  );
  if (!page) return outOfRange;
  const tags = page.items.map((tag) => ({ ...tag, description: '', category: null }));
  return { status: 200, body: { tags, next_page_token: page.next } };
}

const tooMany: SandboxReply = {
  status: 429,
  body: { code: '429', message: 'Quota Exceeded', status: 'Request Throttled', details: null },
};

const free = (subject: string, reply: SandboxReply): Answer => ({ reply, subject, units: 0, micros: 0, free: true });
const paid = (subject: string, reply: SandboxReply): Answer => ({ reply, subject, units: 0, micros: 0, free: false });

const refusal = (code: number, status: string, message: string): SandboxReply => ({
  status: code,
  body: { code, message, status, details: [] },
});
const outOfRange = refusal(400, 'INVALID_ARGUMENT', 'The page_size or page_token is out of range');
const oauthRefusal = (error: string, error_description: string): SandboxReply => ({
  status: 400,
  body: { error, error_description },
});

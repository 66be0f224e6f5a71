import { createHash, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { SandboxReply, SandboxRequest } from '#sandbox/wire.ts';
import { choicePage, mistakePage } from './oidc-page.ts';
import { type OidcPerson, oidcPeople, personAt } from './oidc-people.ts';

const LIFE_SECONDS = 3600;
const ALGORITHM = 'RS256';

/** Signs what is said of someone. Tests put another in its place. */
export type SignIdToken = (claims: JWTPayload) => Promise<string>;

/** A request, and the address that the issuer has for the person who sent it. */
type OidcRequest = SandboxRequest & { issuer: string };

type Grant = { person: OidcPerson; asked: URLSearchParams };

/**
 * An OpenID Connect provider: discovery, keys, a page to choose a person on, tokens, userinfo. Every client is known, with any secret;
 * PKCE is required.
 */
export type OidcProvider = {
  answer(request: OidcRequest): Promise<SandboxReply>;
  /** What an honest provider would sign. */
  sign: SignIdToken;
};

/** `tamper`: stands between the claims and their signature, for tests of what a bad provider may send. */
export function createOidcProvider(tamper?: (claims: JWTPayload, sign: SignIdToken) => Promise<string>): OidcProvider {
  const codes = new Map<string, Grant>();
  const accessTokens = new Map<string, OidcPerson>();
  let keys: Promise<Keys> | undefined;
  const ring = () => {
    keys ??= makeKeys();
    return keys;
  };
  const sign: SignIdToken = async (claims) => {
    const { kid, privateKey } = await ring();
    return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' }).sign(privateKey);
  };

  async function grant(request: OidcRequest): Promise<SandboxReply> {
    const form = new URLSearchParams(request.body);
    const code = form.get('code') ?? '';
    const given = codes.get(code);
    codes.delete(code);
    if (!given || !isFor(given.asked, form)) return refusal('invalid_grant');
    const accessToken = randomBytes(24).toString('base64url');
    accessTokens.set(accessToken, given.person);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...given.person,
      iss: request.issuer,
      aud: given.asked.get('client_id') ?? '',
      iat: now,
      exp: now + LIFE_SECONDS,
      ...(given.asked.has('nonce') ? { nonce: given.asked.get('nonce') } : {}),
    };
    const id_token = await (tamper ? tamper(claims, sign) : sign(claims));
    const body = { access_token: accessToken, token_type: 'Bearer', expires_in: LIFE_SECONDS, id_token };
    return { status: 200, headers: { 'cache-control': 'no-store' }, body };
  }

  return {
    sign,
    async answer(request) {
      switch (`${request.method} ${request.path}`) {
        case 'GET /.well-known/openid-configuration':
          return { status: 200, body: metadata(request.issuer) };
        case 'GET /jwks':
          return { status: 200, body: { keys: [(await ring()).publicJwk] } };
        case 'GET /authorize':
        case 'POST /authorize':
          return authorize(request, codes);
        case 'POST /token':
          return grant(request);
        case 'GET /userinfo': {
          const person = accessTokens.get(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
          return person ? { status: 200, body: person } : { status: 401, body: { error: 'invalid_token' } };
        }
        default:
          return { status: 404, body: { error: 'not_found' } };
      }
    },
  };
}

type Keys = Awaited<ReturnType<typeof makeKeys>>;

async function makeKeys() {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
  const kid = randomBytes(6).toString('hex');
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' } };
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ALGORITHM],
  scopes_supported: ['openid', 'email', 'profile'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/** GET shows the page; its forms come back as POST, and send the browser on. */
function authorize({ method, query, body, issuer }: OidcRequest, codes: Map<string, Grant>): SandboxReply {
  const asked = method === 'POST' ? new URLSearchParams(body) : query;
  const back = URL.parse(asked.get('redirect_uri') ?? '');
  if (!back || !/^https?:$/.test(back.protocol)) return mistakePage('The redirect_uri is missing or not valid.');
  if (!asked.get('client_id')) return mistakePage('The client_id is missing.');
  if (asked.get('response_type') !== 'code') return mistakePage('The response_type must be code.');
  if (asked.get('code_challenge_method') !== 'S256') return mistakePage('The code_challenge is missing.');
  if (method !== 'POST') return choicePage(asked);
  const person = chosen(asked);
  if (person) {
    const code = randomBytes(18).toString('base64url');
    codes.set(code, { person, asked });
    back.searchParams.set('code', code);
  } else back.searchParams.set('error', 'access_denied');
  back.searchParams.set('state', asked.get('state') ?? '');
  back.searchParams.set('iss', issuer);
  return { status: 303, headers: { location: back.href, 'cache-control': 'no-store' }, body: '' };
}

/** Whose address was chosen or typed. Undefined when someone thought better of it. */
function chosen(form: URLSearchParams): OidcPerson | undefined {
  const person = form.get('person');
  if (person === 'other') return personAt(form.get('email') ?? '', true);
  return oidcPeople.find(({ email }) => email === person);
}

/** Whether a code that was `asked` for in one way is redeemed in the same. */
function isFor(asked: URLSearchParams, form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return (
    form.get('client_id') === asked.get('client_id') &&
    form.get('redirect_uri') === asked.get('redirect_uri') &&
    challenge === asked.get('code_challenge')
  );
}

const refusal = (error: string): SandboxReply => ({ status: 400, body: { error } });

import { decodeJwt, type JWTPayload } from 'jose';

/** Someone signed in, as a client holds it. */
export type Session = {
  userId: string;
  accessToken: string;
  /** As the browser app keeps it. */
  stored: string;
  claims: JWTPayload;
  /** What every call to the backend carries. */
  headers: Record<string, string>;
  /**
   * Calls the product API, and returns `data`.
   * @throws Error when it is refused.
   */
  post(path: string, body: object): Promise<unknown>;
  /** Inserts a list as the browser does; answers its id. */
  insertList(name: string): Promise<string>;
};

/**
 * Signs in at a running Fairlead by the code of a mail in its outbox.
 * @throws when that is not let in.
 */
export async function signIn(url: string, email: string): Promise<Session> {
  const { backendKey } = (await call(`${url}/config.json`)) as { backendKey: string };
  const auth = (path: string, body: object) =>
    call(`${url}/auth/v1${path}`, { method: 'POST', headers: { ...JSON_BODY, apikey: backendKey }, body });
  await auth('/otp', { email, create_user: true });
  const mails = (await call(`${url}/outbox.json`)) as { to: string; text: string }[];
  const code = /\b\d{6}\b/.exec(mails.find((mail) => mail.to === email)?.text ?? '')?.[0];
  if (!code) throw new Error(`No mail with a code for ${email} is in the outbox.`);
  const held = (await auth('/verify', { type: 'email', email, token: code })) as { access_token: string };
  const accessToken = held.access_token;
  const claims = decodeJwt(accessToken);
  const userId = claims.sub ?? '';
  const headers = { apikey: backendKey, authorization: `Bearer ${accessToken}` };
  return {
    userId,
    accessToken,
    stored: JSON.stringify(held),
    claims,
    headers,
    async post(path, body) {
      const answer = await call(`${url}${path}`, { method: 'POST', headers: { ...headers, ...JSON_BODY }, body });
      return (answer as { data: unknown }).data;
    },
    async insertList(name) {
      const [row] = (await call(`${url}/rest/v1/lists`, {
        method: 'POST',
        headers: { ...headers, ...JSON_BODY, prefer: 'return=representation' },
        body: { user_id: userId, name, search_params: {}, status: 'processing' },
      })) as { id: string }[];
      if (!row) throw new Error('The inserted list was not answered.');
      return row.id;
    },
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

type Request = { method?: string; headers?: Record<string, string>; body?: object };

async function call(url: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<unknown> {
  const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

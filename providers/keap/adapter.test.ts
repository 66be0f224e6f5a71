import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { createKeapCrm } from './adapter.ts';

const redirectUri = 'http://localhost:3000/callback';

describe('against the sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => sandbox.close());
  const crmOf = (clientId = 'sandbox', timeoutMs = 5_000) => {
    const url = `${sandbox.url}/keap`;
    return createKeapCrm({ clientId, clientSecret: 'a secret & more', accountsUrl: url, apiUrl: url, timeoutMs });
  };

  /** Presses a button of the consent screen, and reads where it leads. */
  async function answerConsent(clientId: string, decision: 'allow' | 'deny'): Promise<URL> {
    const address = crmOf(clientId).authorizeUrl({ redirectUri, state: 'st&te"' });
    const page = await (await fetch(address)).text();
    expect(page).toContain('Allow access to Keap?');
    expect(page).toContain('value="st&#38;te&#34;"');
    const form = { client_id: clientId, redirect_uri: redirectUri, state: 'st&te"', decision };
    const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? '');
  }
  async function connect(clientId: string) {
    const code = (await answerConsent(clientId, 'allow')).searchParams.get('code') ?? '';
    return { code, tokens: await crmOf(clientId).exchangeCode({ code, redirectUri }) };
  }

  test('consent leads back with code and state, or with a refusal', async () => {
    const allowed = await answerConsent('sandbox', 'allow');
    expect(allowed.href.startsWith(`${redirectUri}?code=`)).toBe(true);
    expect(allowed.searchParams.get('state')).toBe('st&te"');
    const denied = await answerConsent('sandbox', 'deny');
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: 'access_denied', state: 'st&te"' });
  });

  test('a code works once; refresh tokens rotate, and the old ones are refused', async () => {
    const { code, tokens } = await connect('sandbox');
    expect(tokens).toMatchObject({ expiresInSeconds: 86_399 });
    const refused = { provider: 'keap', kind: 'bad_credentials' };
    await expect(crmOf().exchangeCode({ code, redirectUri })).rejects.toMatchObject(refused);
    const next = await crmOf().refresh(tokens.refreshToken);
    await expect(crmOf().refresh(tokens.refreshToken)).rejects.toMatchObject(refused);
    await expect(crmOf().findTagIds(tokens.accessToken, 'ann@people.example')).rejects.toMatchObject(refused);
    await expect(crmOf().findTagIds(next.accessToken, 'ann@people.example')).resolves.toEqual(['1001', '1002']);
  });

  test('everyone who holds a tag, page by page, and how they can be reached', async () => {
    const { accessToken } = (await connect('sandbox')).tokens;
    sandbox.contacts.add(
      ...Array.from({ length: 600 }, (_, at) => ({
        id: String(8_000 + at),
        emails: [`many${at}@people.example`],
        phones: [],
        tagIds: ['1005'],
      })),
    );
    const ids: string[] = [];
    for (let token: string | undefined, pages = 0; pages === 0 || token; pages += 1) {
      const page = await crmOf().taggedPage(accessToken, '1005', token);
      ids.push(...page.ids);
      token = page.nextPageToken;
    }
    expect(ids).toHaveLength(600);
    expect(await crmOf().taggedPage(accessToken, '1006')).toEqual({ ids: [] });
    expect(await crmOf().contactsById(accessToken, ['7001', '7003', '9999'])).toEqual([
      { id: '7001', emails: ['olive@leave-me.example'], phones: ['(303) 555-0181'] },
      { id: '7003', emails: [], phones: ['303.555.0182 ext 4'] },
    ]);
    await expect(crmOf().contactsById(accessToken, ['1;email==x'])).rejects.toMatchObject({ kind: 'bad_request' });
  });

  test.each([
    ['LIST_UNSUBSCRIBE', true],
    ['NON_MARKETABLE', true],
    ['HARD_BOUNCE', true],
    ['SPAM', true],
    ['SINGLE_OPT_IN', false],
    ['UNENGAGED_NON_MARKETABLE', false],
    ['BOUNCE', false],
    // A status of a later version counts by what else it says: not opted in.
    ['SOMETHING_NEW', true],
  ])('the status %s stops: %s', async (status, stops) => {
    const { accessToken } = (await connect('sandbox')).tokens;
    const email = `a+b/c?${status}@people.example`;
    sandbox.contacts.setStatus(email, status);
    expect(await crmOf().emailStatus(accessToken, email)).toEqual({ stops, status });
  });

  test('an address that Keap does not know has no status; a failure is none', async () => {
    const { accessToken } = (await connect('sandbox')).tokens;
    expect(await crmOf().emailStatus(accessToken, 'lead@people.example')).toBeUndefined();
    await expect(crmOf().emailStatus(accessToken, 'keapdown@people.example')).rejects.toMatchObject({
      kind: 'transient',
    });
    await expect(crmOf().emailStatus('no token', 'lead@people.example')).rejects.toMatchObject({
      kind: 'bad_credentials',
    });
  });

  test('contacts by rule: members, the untagged, and no one', async () => {
    const { accessToken } = (await connect('sandbox')).tokens;
    const tagsOf = (email: string) => crmOf().findTagIds(accessToken, email);
    expect(await tagsOf('Ann+lists@People.example')).toEqual(['1001', '1002']);
    expect(await tagsOf('untagged@people.example')).toEqual(['1002']);
    expect(await tagsOf('nobody@people.example')).toBeUndefined();
    await expect(tagsOf('keapdown@people.example')).rejects.toMatchObject({ kind: 'transient' });
    const hurried = crmOf('sandbox', 100).findTagIds(accessToken, 'keapslow@people.example');
    await expect(hurried).rejects.toMatchObject({ kind: 'transient', detail: 'timed out' });
    sandbox.contacts.set('ann@people.example', ['7']);
    expect(await tagsOf('ANN@people.example')).toEqual(['7']);
  });

  test('all tags, page after page', async () => {
    const { accessToken } = (await connect('sandbox')).tokens;
    const names: string[] = [];
    let pages = 0;
    for (let token: string | undefined = ''; token !== undefined; pages += 1) {
      const page = await crmOf().tagPage(accessToken, token || undefined);
      names.push(...page.tags.map(({ name }) => name));
      token = page.nextPageToken;
    }
    expect([pages, names.length, new Set(names).size]).toEqual([3, 600, 600]);
    expect(names).toContain('Fairlead member');
  });

  test('faults by the end of the client id', async () => {
    await expect(connect('sandbox-bad-key')).rejects.toMatchObject({ kind: 'bad_credentials' });
    await expect(connect('sandbox-down')).rejects.toMatchObject({ kind: 'transient' });
    const ask = async (clientId: string) => {
      const { accessToken } = (await connect(clientId)).tokens;
      return crmOf(clientId).findTagIds(accessToken, 'ann@firm.example');
    };
    await expect(ask('sandbox-bad-key-later')).rejects.toMatchObject({ kind: 'bad_credentials' });
    await expect(ask('sandbox-out-of-credit')).rejects.toMatchObject({ kind: 'out_of_credit' });
    await expect(ask('sandbox-rate-limited-later')).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(ask('sandbox-down-later')).rejects.toMatchObject({ kind: 'transient' });
    await expect(ask('sandbox-malformed-later')).rejects.toMatchObject({ kind: 'unknown_shape' });
  });
});

/** A CRM that gets the given answers one after the other, and what it sent. */
function scripted(...answers: (() => Response)[]) {
  const sent: { url: string; headers: Headers; body: string }[] = [];
  const crm = createKeapCrm({
    clientId: 'an-id',
    clientSecret: 'secret-of-client',
    accountsUrl: 'https://accounts.keap.example/',
    apiUrl: 'https://api.keap.example/',
    fetch: async (url, init) => {
      sent.push({ url: String(url), headers: new Headers(init?.headers), body: String(init?.body ?? '') });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (!answer) throw new Error('no answer is scripted');
      return answer();
    },
  });
  return { crm, sent };
}
const found = (contacts: unknown[]) => () => Response.json({ contacts, next_page_token: '' });
const contact = (id: string, email: string, tagIds: unknown) => ({ id, email_addresses: [{ email }], tag_ids: tagIds });

test('an address is asked about in one call, encoded, and never in a way that changes the filter', async () => {
  const { crm, sent } = scripted(found([]));
  expect(await crm.findTagIds('token', "o'neil&x=1#+%@firm.example")).toBeUndefined();
  expect(sent.map(({ url }) => url)).toEqual([
    'https://api.keap.example/crm/rest/v2/contacts?filter=email%3D%3Do%27neil%26x%3D1%23%2B%25%40firm.example&fields=id%2Cemail_addresses%2Ctag_ids&page_size=1000',
  ]);
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer token');
  for (const hostile of [
    'a@b.example;given_name==Ann',
    'a@b.exampl*',
    '*@b.example',
    'a==b@c.example',
    'a@b.example,c@d.example',
    'a b@c.example',
    'a@b.example\r\nx: y',
    '',
  ])
    await expect(crm.findTagIds('token', hostile)).rejects.toMatchObject({ kind: 'bad_request' });
  expect(sent).toHaveLength(1);
});

test('only contacts that have the address count, with the tags of all of them', async () => {
  const tagsOf = (...contacts: unknown[]) => scripted(found(contacts)).crm.findTagIds('token', 'ann@firm.example');
  expect(await tagsOf(contact('1', 'joanne@firm.example', ['5']))).toBeUndefined();
  expect(await tagsOf({ id: '1', email_addresses: null, tag_ids: ['5'] })).toBeUndefined();
  expect(await tagsOf(contact('1', 'ANN@firm.example ', ['5', '6']), contact('2', 'ann@firm.example', [6, 7]))).toEqual(
    ['5', '6', '7'],
  );
  expect(await tagsOf(contact('1', 'ann@firm.example', null))).toEqual([]);
});

test('numbers and addresses of an unknown shape are handed on as they stand there, to be named', async () => {
  const phones = [{ number: 3035550175 }, { number: '1', number_e164: {} }, { number: null }, {}];
  const { crm } = scripted(found([{ id: 7, email_addresses: [{ email: ['a@x.example'] }], phone_numbers: phones }]));
  expect(await crm.contactsById('token', ['7'])).toEqual([
    { id: '7', emails: ['["a@x.example"]'], phones: ['3035550175', '{}'] },
  ]);
});

test('the secret goes into the body of an exchange, and into a header of a refresh', async () => {
  const tokens = { access_token: 'a', refresh_token: 'r', expires_in: 60, token_type: 'bearer' };
  const { crm, sent } = scripted(() => Response.json(tokens));
  await crm.exchangeCode({ code: 'c o&de', redirectUri });
  expect(await crm.refresh('old')).toEqual({ accessToken: 'a', refreshToken: 'r', expiresInSeconds: 60 });
  const asText = scripted(() => Response.json({ ...tokens, expires_in: '86399' })).crm;
  expect(await asText.refresh('old')).toMatchObject({ expiresInSeconds: 86_399 });
  expect(sent[0]?.body).toBe(
    'client_id=an-id&client_secret=secret-of-client&code=c+o%26de&grant_type=authorization_code&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fcallback',
  );
  expect(sent[1]?.headers.get('authorization')).toBe(`Basic ${btoa('an-id:secret-of-client')}`);
  expect(sent[1]?.body).toBe('grant_type=refresh_token&refresh_token=old');
  expect(sent[1]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
});

const gateway = { fault: { faultstring: 'Invalid token-1', detail: { errorcode: 'oauth.v2.InvalidAccessToken' } } };
const rest = { code: '400', message: 'Bad token-1', status: 'INVALID_ARGUMENT', details: null };
const java = { message: 'Broken token-1', cause: null, stackTrace: [] };
test.each([
  [400, rest, {}, 'bad_request'],
  [401, gateway, {}, 'bad_credentials'],
  [403, rest, {}, 'bad_configuration'],
  [404, java, {}, 'bad_request'],
  [404, '<html>', {}, 'bad_configuration'],
  [429, rest, { 'x-keap-product-throttle-available': '0' }, 'rate_limited'],
  [429, gateway, { 'x-keap-product-quota-available': '0' }, 'out_of_credit'],
  [500, java, {}, 'transient'],
  [302, '', { location: 'https://elsewhere.example' }, 'bad_configuration'],
])('HTTP %i %j is %4$s, and never shows the token', async (status, body, headers, kind) => {
  const answer = () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { ...headers } });
  const { crm, sent } = scripted(answer);
  const error = await crm.tagPage('token-1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ provider: 'keap', kind });
  expect(JSON.stringify(error) + String(error)).not.toContain('token-1');
  expect(sent).toHaveLength(1);
});

test.each([
  [400, { error: 'invalid_request', error_description: 'Invalid Refresh Token' }, 'bad_credentials'],
  [400, { error: 'invalid_grant' }, 'bad_credentials'],
  [401, { error: 'invalid_client' }, 'bad_credentials'],
  [400, { error: 'invalid_client' }, 'bad_credentials'],
  [401, gateway, 'bad_credentials'],
  [400, '<html>', 'bad_configuration'],
  [429, rest, 'rate_limited'],
  [503, '', 'transient'],
  [200, { access_token: 'x', expires_in: 60 }, 'unknown_shape'],
  [200, { access_token: 'x', refresh_token: 'y', expires_in: '0' }, 'unknown_shape'],
  [200, { access_token: 'x\n', refresh_token: 'y', expires_in: 60 }, 'unknown_shape'],
])('a refresh that is answered HTTP %i %j is %s', async (status, body, kind) => {
  const { crm } = scripted(() => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }));
  await expect(crm.refresh('old')).rejects.toMatchObject({ kind });
});

test.each(['{}', '{"tags":null}', '{"tags":[{}]}', '{"ta', '<html>', ''])(
  'an answer of another shape is never "no tags": %s',
  async (body) => {
    await expect(scripted(() => new Response(body)).crm.tagPage('token')).rejects.toMatchObject({
      kind: 'unknown_shape',
    });
  },
);

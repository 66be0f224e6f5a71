import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { createEmailFinder } from './adapter.ts';

describe('against the sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => sandbox.close());
  const finder = (apiKey = 'sandbox', timeoutMs = 5_000) =>
    createEmailFinder({ apiKey, baseUrl: `${sandbox.url}/hunter`, timeoutMs });
  const domains = Array.from({ length: 40 }, (_, index) => `firm-${index}.example`);

  test('contacts belong to the domain asked, some domains have none, and a domain is charged once', async () => {
    const key = 'sandbox-hunter-meter';
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(domains.map((domain) => finder(key).searchDomain(domain)));
      const hits = answers.filter(({ contacts }) => contacts.length > 0);
      expect(hits.length).toBeGreaterThan(20);
      expect(hits.length).toBeLessThan(40);
      for (const { domain, contacts } of answers) {
        expect(contacts.every(({ email }) => email.endsWith(`@${domain}`))).toBe(true);
      }
      expect(sandbox.meter.rows().find((row) => row.key === key)).toMatchObject({
        calls: 40 * (round + 1),
        subjects: 40,
        billedUnits: hits.length,
        micros: hits.length * 50_000,
      });
    }
  });

  test('faults', async () => {
    await expect(finder('sandbox-bad-key').testKey()).rejects.toMatchObject({ kind: 'bad_credentials' });
    await finder('sandbox-out-of-credit').testKey();
    await expect(finder('sandbox-out-of-credit').searchDomain('a.example')).rejects.toMatchObject({
      kind: 'out_of_credit',
      message: expect.stringContaining('renew on 2026-12-03'),
    });
    const limited = finder('sandbox-hunter-rate-limited');
    await expect(limited.searchDomain('a.example')).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 1000 });
    await expect(limited.searchDomain('a.example')).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(limited.searchDomain('a.example')).resolves.toMatchObject({ domain: 'a.example' });
    const malformed = finder('sandbox-hunter-malformed');
    await expect(malformed.searchDomain('a.example')).rejects.toMatchObject({ kind: 'unknown_shape' });
    await expect(malformed.searchDomain('a.example')).rejects.toMatchObject({ kind: 'unknown_shape' });
    // By turns a 503, which Hunter does not charge, and a cut connection, after which no one knows.
    const down = finder('sandbox-hunter-down');
    const failures = await Promise.allSettled([down.searchDomain('a.example'), down.searchDomain('a.example')]);
    const reasons = failures.map((failure) => (failure.status === 'rejected' ? failure.reason : undefined));
    expect(reasons.map((reason) => reason.kind)).toEqual(['transient', 'transient']);
    expect(reasons.map((reason) => reason.charge).sort()).toEqual(['none', 'possible']);
    await expect(finder('sandbox-slow', 100).searchDomain('a.example')).rejects.toMatchObject({ detail: 'timed out' });
  });
});

/** A finder that gets the given answers one after the other, and what it sent. */
function scripted(...answers: (() => Response)[]) {
  const sent: { url: string; key: string | null }[] = [];
  const waits: number[] = [];
  const finder = createEmailFinder({
    apiKey: 'secret-hunter-key',
    baseUrl: 'https://hunter.example',
    fetch: async (url, init) => {
      sent.push({ url: String(url), key: new Headers(init?.headers).get('x-api-key') });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (!answer) throw new Error('no answer is scripted');
      return answer();
    },
    sleep: async (ms) => void waits.push(ms),
  });
  return { finder, sent, waits };
}

const refusal = (status: number, id: string) => () =>
  Response.json({ errors: [{ id, code: status, details: 'Because of secret-hunter-key.' }] }, { status });
const found =
  (emails: unknown[], status = 200) =>
  () =>
    Response.json({ data: { domain: 'Firm.example', emails }, meta: {} }, { status });
const search = (...answers: (() => Response)[]) => scripted(...answers).finder.searchDomain(' Firm.example ');

test('asks with the key in a header, ten addresses at most', async () => {
  const { finder, sent } = scripted(found([]));
  await expect(finder.searchDomain(' Firm.example ')).resolves.toEqual({ domain: 'firm.example', contacts: [] });
  expect(sent).toEqual([
    { url: 'https://hunter.example/v2/domain-search?domain=firm.example&limit=10', key: 'secret-hunter-key' },
  ]);
});

test('contacts are read whatever is missing, null or new in them', async () => {
  const emails = [
    {
      value: ' dana@firm.example ',
      type: 'personal',
      confidence: 94,
      first_name: 'Dana',
      last_name: 'Quill',
      position: 'Owner',
      seniority: 'executive',
      department: 'executive',
      verification: { date: '2026-09-02 08:14:55 UTC', status: 'valid' },
    },
    { value: 'info@firm.example', type: 'role', confidence: null, first_name: null, verification: { status: null } },
    { value: 'x@firm.example', confidence: 250, verification: { status: 'gibberish' }, position: 7 },
    { value: 'not an address', type: 'personal' },
  ];
  await expect(search(found(emails))).resolves.toEqual({
    domain: 'firm.example',
    contacts: [
      {
        email: 'dana@firm.example',
        type: 'personal',
        confidence: 94,
        firstName: 'Dana',
        lastName: 'Quill',
        position: 'Owner',
        seniority: 'executive',
        department: 'executive',
        verification: 'valid',
        verifiedOn: '2026-09-02',
      },
      { email: 'info@firm.example', type: 'generic', confidence: 0 },
      { email: 'x@firm.example', type: 'generic', confidence: 100, verification: 'unknown' },
    ],
  });
});

test.each([
  [400, 'wrong_params', 'bad_request', /did not accept/],
  [401, 'authentication_failed', 'bad_credentials', /rejected this API key/],
  [403, 'rate_limit', 'rate_limited', /too quickly/],
  [422, 'creation_failed', 'bad_request', /did not accept/],
  [429, 'too_many_requests', 'out_of_credit', /credits of your Hunter plan are used up/],
  [451, 'claimed_email', 'legal_block', /privacy/],
  [500, 'internal', 'transient', /having trouble/],
  [301, 'moved', 'bad_configuration', /redirects elsewhere/],
])('HTTP %i %s is %s', async (status, id, kind, message) => {
  await expect(search(refusal(status, id))).rejects.toMatchObject({
    provider: 'hunter_io',
    kind,
    charge: 'none',
    message: expect.stringMatching(message),
    detail: expect.not.stringContaining('secret-hunter-key'),
  });
});

test('404 is no data when Hunter says so, and a wrong address when a web server does', async () => {
  await expect(search(refusal(404, 'not_found'))).resolves.toEqual({ domain: 'firm.example', contacts: [] });
  await expect(search(() => new Response('<html>', { status: 404 }))).rejects.toMatchObject({
    kind: 'bad_configuration',
  });
  await expect(search(() => new Response('<html>', { status: 403 }))).rejects.toMatchObject({
    kind: 'bad_configuration',
  });
});

test('202 is asked again after 2, 4, 8 and 15 seconds, each time in its turn', async () => {
  const pending = found([], 202);
  const settled = scripted(pending, pending, pending, found([{ value: 'a@firm.example' }]));
  await expect(settled.finder.searchDomain('firm.example')).resolves.toMatchObject({
    contacts: [{ email: 'a@firm.example' }],
  });
  expect(settled.waits).toEqual([2_000, 4_000, 8_000]);
  const inTurn = scripted(pending, pending, refusal(400, 'pagination_error'), pending, found([]));
  const sentBefore: number[] = [];
  await inTurn.finder.searchDomain('firm.example', { takeTurn: async () => void sentBefore.push(inTurn.sent.length) });
  expect(sentBefore).toEqual([1, 2, 3, 4]);
  const never = scripted(pending);
  await expect(never.finder.searchDomain('firm.example')).rejects.toMatchObject({ kind: 'transient' });
  expect(never.waits).toEqual([2_000, 4_000, 8_000, 15_000]);
});

test('222 keeps the addresses and takes their verification as unknown', async () => {
  const email = { value: 'a@firm.example', verification: { date: '2026-09-02', status: 'valid' } };
  await expect(search(found([email], 222))).resolves.toMatchObject({
    contacts: [{ email: 'a@firm.example', type: 'generic', confidence: 0, verification: 'unknown' }],
  });
});

test('a plan that allows fewer than ten is asked once more without a limit', async () => {
  const { finder, sent } = scripted(refusal(400, 'pagination_error'), found([]));
  await expect(finder.searchDomain('firm.example')).resolves.toMatchObject({ contacts: [] });
  expect(sent.map(({ url }) => new URL(url).searchParams.get('limit'))).toEqual(['10', null]);
  await expect(search(refusal(400, 'pagination_error'))).rejects.toMatchObject({ kind: 'bad_request' });
});

test.each(['{}', '[]', '{"data":null}', '{"data":{}}', '{"data":{"emails":null}}', '{"da', '<html>', ''])(
  'an answer of another shape is never "no data": %s',
  async (body) => {
    await expect(search(() => new Response(body))).rejects.toMatchObject({ kind: 'unknown_shape' });
  },
);

test('the key test reads the account', async () => {
  const { finder, sent } = scripted(() => Response.json({ data: { email: 'owner@firm.example' } }));
  await finder.testKey();
  expect(sent[0]?.url).toBe('https://hunter.example/v2/account');
  await expect(scripted(() => new Response('{}')).finder.testKey()).rejects.toMatchObject({ kind: 'unknown_shape' });
});

describe('the verifier', () => {
  const said = (status: string, http = 200, email = 'dana@firm.example') =>
    scripted(() => Response.json({ data: { status, result: 'risky', email } }, { status: http }));

  test('asks with the key in a header', async () => {
    const { finder, sent } = said('valid');
    await expect(finder.verifyEmail(' Dana@firm.example ')).resolves.toBe('valid');
    expect(sent).toEqual([
      { url: 'https://hunter.example/v2/email-verifier?email=dana%40firm.example', key: 'secret-hunter-key' },
    ]);
  });

  test('a status that is new, or about another email, says nothing', async () => {
    await expect(said('accept_all').finder.verifyEmail('dana@firm.example')).resolves.toBe('accept_all');
    await expect(said('gibberish').finder.verifyEmail('dana@firm.example')).resolves.toBe('unknown');
    await expect(said('valid', 200, 'else@firm.example').finder.verifyEmail('dana@firm.example')).resolves.toBe(
      'unknown',
    );
  });

  test('202 is asked again in its turn and is pending in the end; so is a check that failed on the other side', async () => {
    const { finder, waits } = said('valid', 202);
    let turns = 0;
    const takeTurn = async () => {
      turns += 1;
    };
    await expect(finder.verifyEmail('dana@firm.example', { takeTurn })).resolves.toBe('pending');
    expect([waits, turns]).toEqual([[2_000, 4_000, 8_000, 15_000], 4]);
    await expect(said('valid', 222).finder.verifyEmail('dana@firm.example')).resolves.toBe('pending');
  });

  test('a failure is never a status', async () => {
    const fails = (answer: () => Response) => expect(scripted(answer).finder.verifyEmail('dana@firm.example')).rejects;
    await fails(refusal(403, 'rate_limit')).toMatchObject({ kind: 'rate_limited', charge: 'none' });
    await fails(refusal(429, 'too_many_requests')).toMatchObject({ kind: 'out_of_credit' });
    await fails(refusal(451, 'claimed_email')).toMatchObject({ kind: 'legal_block' });
    await fails(() => Response.json({ data: {} })).toMatchObject({ kind: 'unknown_shape' });
    await fails(() => new Response('<html>', { status: 404 })).toMatchObject({ kind: 'bad_configuration' });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { createPhoneScrubber } from './adapter.ts';

const numbers = Array.from({ length: 20 }, (_, index) => `21755501${String(index).padStart(2, '0')}`);

describe('against the sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => sandbox.close());
  const scrubber = (apiKey = 'sandbox', timeoutMs = 5_000) =>
    createPhoneScrubber({ apiKey, baseUrl: `${sandbox.url}/searchbug`, timeoutMs });

  test('every number asked has a verdict, one call for twenty, each number charged every time', async () => {
    const key = '7654321:sandbox-scrub-meter';
    await expect(scrubber(key).testKey()).resolves.toEqual({ balanceMicros: 5_000_000_000 });
    const first = await scrubber(key).scrub(numbers);
    expect([...first.verdicts.keys()].sort()).toEqual(numbers);
    expect(first).toMatchObject({ rateMicros: 20_000, balanceMicros: 5_000_000_000 - 400_000 });
    const second = await scrubber(key).scrub(numbers);
    expect(second.verdicts).toEqual(first.verdicts);
    const row = sandbox.meter.rows().find((one) => one.key === 'sandbox-scrub-meter');
    expect(row).toMatchObject({ calls: 2, billedUnits: 40, micros: 800_000 });
  });

  test('over many numbers every kind of verdict and line comes up', async () => {
    // The sandbox leaves those that end in 97, 98 and 99 without a readable verdict.
    const all = Array.from({ length: 20 }, (_, page) => numbers.map((_number, n) => `${300 + page}55501${80 + n}`));
    const answers = await Promise.all(all.map((batch) => scrubber().scrub(batch)));
    const verdicts = answers.flatMap(({ verdicts: found }) => [...found.values()]);
    const share = (status: string) => verdicts.filter((verdict) => verdict.status === status).length / verdicts.length;
    expect(share('safe')).toBeGreaterThan(0.6);
    expect(share('dnc')).toBeGreaterThan(0.1);
    expect(share('litigator')).toBeGreaterThan(0.01);
    expect(share('not_checked')).toBeGreaterThan(0);
    expect(new Set(verdicts.map(({ lineType }) => lineType))).toEqual(
      new Set(['mobile', 'landline', 'voip', undefined]),
    );
  });

  test('faults', async () => {
    await expect(scrubber('sandbox-bad-key').testKey()).rejects.toMatchObject({ kind: 'bad_credentials' });
    await expect(scrubber('sandbox-out-of-credit').testKey()).resolves.toEqual({ balanceMicros: 0 });
    await expect(scrubber('sandbox-out-of-credit').scrub(numbers)).rejects.toMatchObject({
      kind: 'out_of_credit',
      charge: 'none',
    });
    const limited = scrubber('sandbox-rate-limited');
    await expect(limited.scrub(numbers)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 1000 });
    await expect(limited.scrub(numbers)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: undefined });
    await expect(limited.scrub(numbers)).resolves.toHaveProperty('verdicts');
    const down = scrubber('sandbox-down');
    await expect(down.scrub(numbers)).rejects.toMatchObject({ kind: 'transient', charge: 'possible' });
    await expect(down.scrub(numbers)).rejects.toMatchObject({ kind: 'transient', charge: 'possible' });
    const malformed = scrubber('sandbox-malformed');
    await expect(malformed.scrub(numbers)).rejects.toMatchObject({ kind: 'unknown_shape', charge: 'possible' });
    await expect(malformed.scrub(numbers)).rejects.toMatchObject({ kind: 'bad_configuration', charge: 'possible' });
    await expect(malformed.scrub(numbers)).rejects.toMatchObject({ kind: 'bad_configuration', charge: 'none' });
    await expect(scrubber('sandbox-slow', 100).scrub(numbers)).rejects.toMatchObject({
      charge: 'possible',
      detail: 'timed out',
    });
  });
});

/** A scrubber that gets one answer, and the forms that it sent. */
function answered(response: () => Response, apiKey = '12345678:pa$s:word') {
  const forms: URLSearchParams[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    expect(String(url)).toBe('https://data.example/api/search.aspx');
    expect(init?.redirect).toBe('manual');
    forms.push(new URLSearchParams(String(init?.body)));
    return response();
  };
  return { forms, ...createPhoneScrubber({ apiKey, baseUrl: 'https://data.example', fetch }) };
}

const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
const errorAnswer = (text: string) => json({ Status: 'Error', Error: text, Data: null });

test('a scrub sends credentials and numbers in the body, each number once', async () => {
  const { scrub, forms } = answered(json({ Status: 'Success', Data: {}, Error: null }));
  const answer = await scrub(['2175550101', '2175550102', '2175550101']);
  expect(answer.verdicts.get('2175550102')).toEqual({ number: '2175550102', status: 'not_checked' });
  expect(Object.fromEntries(forms[0] ?? [])).toEqual({
    CO_CODE: '12345678',
    PASS: 'pa$s:word',
    TYPE: 'api_lnd2',
    F: '2175550101,2175550102',
    FORMAT: 'JSON',
  });
});

test.each([
  [Array.from({ length: 21 }, (_, index) => String(2175550100 + index))],
  [['217-555-0101']],
  [['+12175550101']],
])('nothing is sent for too many or unreadable numbers', async (asked) => {
  const { scrub, forms } = answered(json({}));
  await expect(scrub(asked)).rejects.toMatchObject({ kind: 'bad_request', charge: 'none' });
  expect(forms).toEqual([]);
});

test('no numbers, no call', async () => {
  const { scrub, forms } = answered(json({}));
  await expect(scrub([])).resolves.toEqual({ verdicts: new Map(), reply: { body: '', requestId: null } });
  expect(forms).toEqual([]);
});

test.each([
  ['Invalid account number or password (Error Code: 100)', 'bad_credentials'],
  ['API key is not valid', 'bad_credentials'],
  ['Invalid login', 'bad_credentials'],
  ['Prepaid plan with a positive balance is required', 'out_of_credit'],
  ['Your balance is too low (Error Code: 7)', 'out_of_credit'],
  ['Invalid phone number (Error Code: 12)', 'bad_request'],
  ['Unknown TYPE', 'bad_request'],
  ['', 'bad_request'],
])('the error "%s" is %s', async (text, kind) => {
  await expect(answered(errorAnswer(text)).scrub(['2175550101'])).rejects.toMatchObject({ kind, charge: 'none' });
});

test('an error text never carries the credentials on', async () => {
  const text = 'Request 12345678:pa$s:word was odd, 12345678 too, pa%24s%3Aword as well';
  const error: unknown = await answered(errorAnswer(text))
    .scrub(['2175550101'])
    .catch((reason: unknown) => reason);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/pa\$s|pa%24s|12345678/);
});

const page = '<!DOCTYPE html><html><body>Blocked</body></html>';
test.each([
  [new Response(page, { status: 200 }), 'bad_configuration', 'possible'],
  [new Response(page, { status: 403 }), 'bad_configuration', 'none'],
  [
    new Response(null, {
      status: 302,
      headers: { location: 'https://www.searchbug.example/access-denied.aspx?TYPE=F1' },
    }),
    'bad_configuration',
    'none',
  ],
  [new Response(null, { status: 301, headers: { location: '/' } }), 'bad_configuration', 'none'],
  [new Response('{}', { status: 401 }), 'bad_credentials', 'none'],
  [new Response('', { status: 403 }), 'bad_credentials', 'none'],
  [new Response('', { status: 400 }), 'bad_request', 'none'],
  [new Response('', { status: 429 }), 'rate_limited', 'none'],
  [new Response(page, { status: 500 }), 'transient', 'possible'],
  [new Response('<?xml version="1.0"?><Response/>'), 'unknown_shape', 'possible'],
  [new Response('{"Status":"Suc'), 'unknown_shape', 'possible'],
  [new Response('{}'), 'unknown_shape', 'possible'],
  [new Response('[]'), 'unknown_shape', 'possible'],
  [new Response('null'), 'unknown_shape', 'possible'],
  [new Response(''), 'unknown_shape', 'possible'],
])('an answer that is none (%#) is typed', async (response, kind, charge) => {
  await expect(answered(() => response.clone()).scrub(['2175550101'])).rejects.toMatchObject({
    provider: 'searchbug',
    kind,
    charge,
    message: expect.stringMatching(/^\S.+\.$/),
  });
});

describe('the key test', () => {
  test('asks for the status only, whatever the answer', async () => {
    const { testKey, forms } = answered(
      json({ Status: 'Success', Data: { BALANCE: '49.82', RATE: '0.02' }, Error: null }),
    );
    await expect(testKey()).resolves.toEqual({ balanceMicros: 49_820_000 });
    expect(forms.map((form) => [form.get('TYPE'), form.get('F')])).toEqual([['status', null]]);
  });

  test('any answer of SearchBug that is not about the key means that the key is right', async () => {
    await expect(answered(errorAnswer('Unknown TYPE')).testKey()).resolves.toEqual({});
    await expect(answered(errorAnswer('A positive balance is required')).testKey()).resolves.toEqual({});
    await expect(answered(json({ Status: 'OK', Data: { BALANCE: 12.5 } })).testKey()).resolves.toEqual({
      balanceMicros: 12_500_000,
    });
  });

  test('a wrong key, an answer of someone else, and a key in the wrong form are refused', async () => {
    await expect(answered(errorAnswer('Invalid password')).testKey()).rejects.toMatchObject({
      kind: 'bad_credentials',
    });
    await expect(answered(json({})).testKey()).rejects.toMatchObject({ kind: 'unknown_shape', charge: 'none' });
    const { testKey, forms } = answered(json({}), 'only-an-api-key');
    await expect(testKey()).rejects.toMatchObject({
      kind: 'bad_credentials',
      message: expect.stringContaining('ACCOUNT_NUMBER:API_KEY'),
    });
    expect(forms).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
});
afterAll(() => sandbox.close());

const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}/searchbug/api/search.aspx`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
const login = { CO_CODE: '12345678', PASS: 'sandbox', FORMAT: 'JSON' };
const json = async <Phone = Record<string, string>>(form: Record<string, string>) =>
  (await (await post({ ...login, ...form })).json()) as { Data: { PHONE: Phone; RATE: string; BALANCE: string } };

test('one number comes as an object, several as an array in another order, all values as texts', async () => {
  const one = await json({ TYPE: 'api_lnd2', F: '2175550142' });
  expect(one).toMatchObject({
    Status: 'Success',
    Error: null,
    Data: { PHONE: { NUMBER: '2175550142' }, STATS: { RATE: '0.02' } },
  });
  expect(Object.values(one.Data.PHONE).every((value) => typeof value === 'string')).toBe(true);
  const two = await json<Record<string, string>[]>({ TYPE: 'api_lnd2', F: '+1 (217) 555-0142,2175550143' });
  expect(two.Data.PHONE.map(({ NUMBER }) => NUMBER)).toEqual(['2175550143', '2175550142']);
  expect(two.Data.PHONE[1]).toEqual(one.Data.PHONE);
});

test('the plain scrub has no line type', async () => {
  const { Data } = await json({ TYPE: 'api_dnc2', F: '2175550142' });
  expect(Data.PHONE).toHaveProperty('DNC');
  expect(Data.PHONE).not.toHaveProperty('TYPE');
});

test('some numbers are missing from the answer, or cannot be read', async () => {
  const numbers = Array.from({ length: 100 }, (_, index) => `21255501${String(index).padStart(2, '0')}`);
  const states = ['312', '713', '415'].flatMap((area) => numbers.map((number) => area + number.slice(3)));
  const phones = (await json<{ DNC?: string; TCPA?: string }[]>({ TYPE: 'api_lnd2', F: states.join(',') })).Data.PHONE;
  expect(phones.length).toBeLessThan(300);
  expect(phones.length).toBeGreaterThan(285);
  expect(phones.some(({ DNC }) => DNC === '')).toBe(true);
  expect(phones.some(({ TCPA }) => TCPA === undefined)).toBe(true);
  expect(phones.some(({ TCPA }) => TCPA === 'YES')).toBe(true);
  expect(phones.some(({ DNC }) => DNC?.includes('CPL'))).toBe(true);
});

test('the status tells balance and rate and costs nothing', async () => {
  const before = sandbox.meter.totals('searchbug').micros;
  const { Data } = await json({ TYPE: 'status', TYPE_API: 'api_dnc2' });
  expect(Data.RATE).toBe('0.02');
  expect(Number(Data.BALANCE)).toBeGreaterThan(0);
  expect(sandbox.meter.totals('searchbug').micros).toBe(before);
});

test('without account or key, with an unknown type, or without numbers, the answer is an error with status 200', async () => {
  for (const form of [{ CO_CODE: '' }, { PASS: '' }, { TYPE: 'api_xyz' }, { TYPE: 'api_lnd2', F: '' }]) {
    const response = await post({ ...login, TYPE: 'api_lnd2', F: '2175550142', ...form });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ Status: 'Error', Error: expect.stringMatching(/Error Code: \d+/) });
  }
});

test('a bearer token serves as the key, and without FORMAT=JSON the answer is XML', async () => {
  const { CO_CODE } = login;
  const response = await post({ CO_CODE, TYPE: 'status' }, { authorization: 'Bearer sandbox' });
  expect(await response.text()).toMatch(/^<\?xml/);
});

test('malformed: truncated JSON, a web page, a redirect to one', async () => {
  const call = () => post({ ...login, PASS: 'sandbox-malformed', TYPE: 'api_lnd2', F: '2175550142' });
  await expect((await call()).json()).rejects.toThrow();
  expect(await (await call()).text()).toMatch(/^<!DOCTYPE html>/);
  const redirect = await call();
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, expect.stringContaining('access-denied')]);
});

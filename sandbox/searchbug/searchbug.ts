import type { Answer, SandboxReply, SandboxRequest, Simulation } from '#sandbox/wire.ts';
import { phoneOnWire } from './searchbug-verdicts.ts';

/** What one number costs, in micro-dollars, and what every account starts with. */
const numberMicros = 20_000;
const openingMicros = 5_000_000_000;

/** SearchBug's `POST /api/search.aspx` for scrubs (`api_dnc2`, `api_lnd2`) and `status`. Every number is charged every time. */
export function simulateSearchbug(): Simulation {
  return {
    keyOf: (request) => {
      const form = formOf(request);
      const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
      return /^\d{3,12}$/.test(form.get('CO_CODE') ?? '') ? bearer || form.get('PASS') || undefined : undefined;
    },
    answer(request, { hasCredit, spentMicros }) {
      const balanceMicros = hasCredit ? openingMicros - spentMicros : 0;
      if (request.method === 'POST' && request.path === '/api/search.aspx')
        return search(formOf(request), balanceMicros);
      const page = {
        status: 404,
        headers: { 'content-type': 'text/html' },
        body: '<html><title>Not found</title></html>',
      };
      return unpaid(request.path, page);
    },
    badKey: () => refusal('Invalid account number or API key (Error Code: 101)'),
    outOfCredit: () => refusal('A prepaid plan with a sufficient balance is required (Error Code: 130)'),
    rateLimited: () => ({ status: 429, body: { Status: 'Error', Error: 'Too many requests', Data: null } }),
    down: () => ({
      status: 503,
      headers: { 'content-type': 'text/html' },
      body: '<html><title>Unavailable</title></html>',
    }),
  };
}

function search(form: URLSearchParams, balanceMicros: number): Answer {
  const type = form.get('TYPE') ?? '';
  const asXml = form.get('FORMAT')?.toUpperCase() !== 'JSON';
  const format = (reply: SandboxReply) => (asXml ? toXml(reply) : reply);

  if (type === 'status') {
    const Data = { BALANCE: dollars(balanceMicros), RATE: dollars(numberMicros) };
    const reply = format({ status: 200, body: { Status: 'Success', Data, Error: null } });
    return { reply, units: 0, micros: 0, free: true };
  }
  if (type !== 'api_dnc2' && type !== 'api_lnd2')
    return unpaid(type, format(refusal('Unknown TYPE (Error Code: 110)')));
  const numbers = (form.get('F') ?? '')
    .split(',')
    .map(toNumber)
    .filter((number) => number !== '');
  if (numbers.length === 0) return unpaid(type, format(refusal('Phone number is missing (Error Code: 120)')));

  const micros = numbers.length * numberMicros;
  const phones = numbers.flatMap((number) => {
    const phone = number.length === 10 ? phoneOnWire(number) : { NUMBER: number };
    if (!phone) return [];
    const { TYPE, VOIP, CARRIER, OCN, PORTED, ...scrub } = phone;
    return [type === 'api_lnd2' ? phone : scrub];
  });
  // Not in the order asked: callers must match by number.
  const PHONE = numbers.length === 1 ? phones[0] : phones.reverse();
  const STATS = {
    DATE: '11/21/2026',
    DAILY: '2',
    MONTHLY: '6',
    RATE: dollars(numberMicros),
    BALANCE: dollars(balanceMicros - micros),
  };
  const body = { Status: 'Success', Data: { ...(PHONE === undefined ? {} : { PHONE }), STATS }, Error: null };
  return {
    reply: format({ status: 200, body }),
    subject: numbers.toSorted().join(','),
    units: numbers.length,
    micros,
    free: false,
  };
}

const formOf = ({ body, query }: SandboxRequest) => new URLSearchParams(body === '' ? query.toString() : body);

const toNumber = (text: string) =>
  text
    .replace(/\D/g, '')
    .replace(/^1(?=\d{10})/, '')
    .slice(0, 10);

const dollars = (micros: number) => (micros / 1_000_000).toFixed(2);

const unpaid = (subject: string, reply: SandboxReply): Answer => ({ reply, subject, units: 0, micros: 0, free: false });

const refusal = (text: string): SandboxReply => ({ status: 200, body: { Status: 'Error', Error: text, Data: null } });

/** Without FORMAT=JSON the real service answers in XML; no one here reads it, so only its outline is right. */
const toXml = ({ status, body }: SandboxReply): SandboxReply => {
  const state = typeof body === 'object' && 'Status' in body ? String(body.Status) : 'Success';
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    body: `<?xml version="1.0"?><Response><Status>${state}</Status></Response>`,
  };
};

import type { Answer, SandboxReply, SandboxRequest, Simulation } from '#sandbox/wire.ts';
import { contactsOf, statusOf } from './hunter-people.ts';

/** The product's price of a domain with at least one address, in micro-dollars. */
const domainMicros = 50_000;
/** The same of an email that is verified. */
const verificationMicros = 25_000;
const freePlanLimit = 100;

/**
 * Hunter's API v2: `GET /v2/account`, `GET /v2/email-count`, `GET /v2/domain-search` and `GET /v2/email-verifier`.
 * A domain or an email is charged once per key, a miss never.
 */
export function simulateHunter(): Simulation {
  return {
    keyOf: ({ headers, query }) =>
      headers['x-api-key'] || query.get('api_key') || /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1],
    answer(request, { hasCredit, spentMicros }) {
      if (request.method === 'GET' && request.path === '/v2/account')
        return account(hasCredit, spentMicros / domainMicros);
      if (request.method === 'GET' && request.path === '/v2/email-count') return emailCount(request);
      if (request.method === 'GET' && request.path === '/v2/domain-search') return domainSearch(request);
      if (request.method === 'GET' && request.path === '/v2/email-verifier') return emailVerifier(request);
      return unpaid(request.path, refusal(404, 'not_found', 'There is nothing at this address'));
    },
    badKey: () => refusal(401, 'authentication_failed', 'No user found for the API key supplied'),
    outOfCredit: () => refusal(429, 'too_many_requests', 'You have used all the credits of your plan'),
    rateLimited: () => refusal(403, 'rate_limit_exceeded', 'You have sent too many requests in a short time'),
    down: () => refusal(503, 'service_unavailable', 'The service is temporarily unavailable'),
  };
}

/** `spent`: credits that this sandbox has charged; the account had used some before. */
function account(hasCredit: boolean, spent: number): Answer {
  const used = hasCredit ? 9.5 + spent : 2000;
  const body = {
    data: {
      first_name: 'Sandbox',
      last_name: 'User',
      email: 'user@sandbox.example',
      plan_name: 'Starter',
      plan_level: 1,
      reset_date: '2026-12-03',
      team_id: 1,
      calls: { used: Math.floor(used), available: 2000 },
      requests: {
        credits: { used, available: 2000 },
        searches: { used: Math.floor(used), available: 2000 },
        verifications: { used: 1, available: 4000 },
      },
    },
    meta: { params: {} },
  };
  return { reply: { status: 200, body }, units: 0, micros: 0, free: true };
}

/** Free, and no subject for the meter: nothing is bought by it. */
function emailCount({ query, path }: SandboxRequest): Answer {
  const domain = query.get('domain')?.trim().toLowerCase() ?? '';
  if (domain === '') return unpaid(path, refusal(400, 'wrong_params', 'You are missing the domain parameter'));
  const all = contactsOf(domain);
  const personal = all.filter(({ type }) => type === 'personal').length;
  const data = { total: all.length, personal_emails: personal, generic_emails: all.length - personal };
  return { reply: { status: 200, body: { data, meta: { params: { domain } } } }, units: 0, micros: 0, free: true };
}

function domainSearch({ query, path }: SandboxRequest): Answer {
  const domain = query.get('domain')?.trim().toLowerCase() ?? '';
  const limit = Number(query.get('limit') ?? 10);
  const offset = Number(query.get('offset') ?? 0);
  if (domain === '') return unpaid(path, refusal(400, 'wrong_params', 'You are missing the domain parameter'));
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) {
    return unpaid(path, refusal(400, 'invalid_domain', 'The domain supplied is invalid'));
  }
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= freePlanLimit && Number.isInteger(offset) && offset >= 0)) {
    return unpaid(path, refusal(400, 'pagination_error', 'The limit or offset is out of range'));
  }
  const all = contactsOf(domain);
  const body = {
    data: {
      domain,
      disposable: false,
      webmail: false,
      accept_all: false,
      pattern: all.length > 0 ? '{first}' : null,
      organization: null,
      country: 'US',
      state: null,
      city: null,
      emails: all.slice(offset, offset + limit),
    },
    meta: { results: all.length, limit, offset, params: { domain, company: null, type: null } },
  };
  const units = all.length > 0 ? 1 : 0;
  return {
    reply: { status: 200, body },
    subject: domain,
    units,
    micros: units * domainMicros,
    once: true,
    free: false,
  };
}

/** `pending@…` has no result yet, `unsettled@…` never gets one, and `private@…` belongs to someone who asked for privacy. */
function emailVerifier({ query, path }: SandboxRequest): Answer {
  const email = query.get('email')?.trim().toLowerCase() ?? '';
  if (email === '') return unpaid(path, refusal(400, 'wrong_params', 'You are missing the email parameter'));
  if (!/^[^\s@]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(email))
    return unpaid(path, refusal(400, 'invalid_email', 'The email supplied is invalid'));
  const [local = ''] = email.split('@');
  if (local === 'private')
    return unpaid(email, refusal(451, 'claimed_email', 'The owner of this email asked for privacy'));
  const charged = { subject: email, units: 1, micros: verificationMicros, once: true, free: false } as const;
  const params = { email };
  if (local === 'pending') return { reply: { status: 202, body: { data: {}, meta: { params } } }, ...charged };
  const status = statusOf(email);
  const accepts = status === 'accept_all';
  const data = {
    status,
    result: status === 'valid' ? 'deliverable' : status === 'invalid' ? 'undeliverable' : 'risky',
    score: status === 'valid' ? 97 : status === 'invalid' ? 4 : 60,
    email,
    regexp: true,
    gibberish: false,
    disposable: false,
    webmail: false,
    mx_records: true,
    smtp_server: true,
    smtp_check: status === 'valid' || accepts,
    accept_all: accepts,
    block: false,
    sources: [],
  };
  return { reply: { status: local === 'unsettled' ? 222 : 200, body: { data, meta: { params } } }, ...charged };
}

const unpaid = (subject: string, reply: SandboxReply): Answer => ({ reply, subject, units: 0, micros: 0, free: false });

const refusal = (code: number, id: string, details: string): SandboxReply => ({
  status: code,
  body: { errors: [{ id, code, details }] },
});

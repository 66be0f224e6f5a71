import type { Answer, SandboxReply, SandboxRequest, Simulation } from './wire.ts';

/** A text message that would have been sent. */
export type TextMessage = { to: string; from: string; text: string };

const MESSAGES = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/;
/** What a message in the United States costs, in micro-dollars. */
const PRICE_MICROS = 8_300;

/**
 * Twilio's Messages API. The key is the account's sid. As at Twilio, +15005550001 is no number, and +15005550009 takes no text messages.
 */
export function simulateTwilio(onText: (text: TextMessage) => void): Simulation {
  return {
    keyOf({ headers, path }) {
      const basic = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
      const [sid = '', token = ''] = Buffer.from(basic, 'base64').toString().split(':');
      return sid !== '' && token !== '' && MESSAGES.exec(path)?.[1] === sid ? sid : undefined;
    },
    answer(request) {
      if (request.method !== 'POST') return refused(refusal(404, 20404, 'The requested resource was not found'));
      return send(request, onText);
    },
    badKey: () => refusal(401, 20003, 'Authenticate'),
    outOfCredit: () => refusal(403, 20003, 'Account not active'),
    rateLimited: () => refusal(429, 20429, 'Too Many Requests'),
    down: () => ({ status: 503, body: { code: 20503, message: 'Service Unavailable', status: 503 } }),
  };
}

function send({ body }: SandboxRequest, onText: (text: TextMessage) => void): Answer {
  const form = new URLSearchParams(body);
  const [to, from, text] = [
    form.get('To') ?? '',
    form.get('From') ?? form.get('MessagingServiceSid') ?? '',
    form.get('Body') ?? '',
  ];
  if (!/^\+[1-9]\d{6,14}$/.test(to) || to === '+15005550001')
    return refused(refusal(400, 21211, `Invalid 'To' Phone Number: ${to}`));
  if (to === '+15005550009') return refused(refusal(400, 21614, `'To' number is not a valid mobile number: ${to}`));
  if (from === '') return refused(refusal(400, 21603, "A 'From' phone number is required"));
  if (text === '') return refused(refusal(400, 21602, 'Message body is required'));
  onText({ to, from, text });
  const message = { sid: `SM${'0'.repeat(32)}`, status: 'queued', to, from, body: text };
  const reply = { status: 201, body: { ...message, num_segments: '1', error_code: null, error_message: null } };
  return { reply, subject: to, units: 1, micros: PRICE_MICROS, free: false };
}

const refusal = (status: number, code: number, message: string): SandboxReply => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

const refused = (reply: SandboxReply): Answer => ({ reply, subject: 'refused', units: 0, micros: 0, free: false });

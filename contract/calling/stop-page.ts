import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** What strangers may suppress of themselves. */
export const STOP_KINDS = ['phone', 'email'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

/** Digits of a code, and for how long it works. */
export const STOP_CODE_DIGITS = 6;
export const STOP_CODE_MINUTES = 10;

const contact = {
  kind: z.enum(STOP_KINDS),
  value: z.string().check(z.trim(), z.minLength(1, 'Enter your number or address.'), z.maxLength(320)),
};

/** Whether the page is switched on, and whether numbers are confirmed by a text; without, an administrator decides. */
export const readStopPageEndpoint = endpoint({
  method: 'GET',
  path: '/api/stop',
  access: 'public',
  data: z.object({ open: z.boolean(), texts: z.boolean() }),
});

/**
 * Asks for a code. The answer is the same for everyone, whatever is on the list and whatever was sent.
 * `ask` names this request: the code works with it alone, so no one can spend or burn another's.
 */
export const askToStopEndpoint = endpoint({
  method: 'POST',
  path: '/api/stop',
  access: 'public',
  body: z.object(contact),
  data: z.object({ ask: z.string() }),
});

/**
 * Confirms by the code, and suppresses.
 * @throws VALIDATION_FAILED for a code that does not work, or works no more.
 */
export const confirmStopEndpoint = endpoint({
  method: 'POST',
  path: '/api/stop/confirm',
  access: 'public',
  body: z.object({
    ...contact,
    ask: z.uuid('This is not the name of a request.'),
    code: z.string().check(z.trim(), z.regex(/^\d{6}$/, `Enter the ${STOP_CODE_DIGITS} digits of the code.`)),
  }),
  data: z.object({ stopped: z.literal(true) }),
});

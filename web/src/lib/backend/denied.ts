import { DENIAL_TEXTS, denialText } from '#contract/access/precheck.ts';

/** What of the backend's refusals tells whether it is the gate's. */
type Refusal = { code?: string | null | undefined; message?: string | null | undefined };

const CODES = new Set(['access_denied', 'user_banned', 'signup_disabled', 'email_address_not_authorized']);

/** Whether someone may not come in, by the code of the refusal or by the gate's own words. */
export const isDenied = ({ code, message }: Refusal): boolean =>
  CODES.has(code ?? '') || DENIAL_TEXTS.has(message ?? '');

/** The gate's own words, which are ours; another backend's are not shown. */
export const deniedText = ({ message }: Refusal): string =>
  message && DENIAL_TEXTS.has(message) ? message : denialText(undefined);

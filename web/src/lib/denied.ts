import { DENIAL_REASONS, denialText } from '#contract/auth.ts';

/** What of the backend's refusals tells whether it is the gate's. */
type Refusal = { code?: string | null | undefined; message?: string | null | undefined };

const CODES = new Set(['access_denied', 'user_banned', 'signup_disabled', 'email_address_not_authorized']);
const TEXTS = new Set(DENIAL_REASONS.map(denialText));

/** Whether somebody may not come in. Behind the hooks of hosted Supabase the gate has its words alone: refusals there have no code. */
export const isDenied = ({ code, message }: Refusal): boolean => CODES.has(code ?? '') || TEXTS.has(message ?? '');

/** The gate's own words, which are ours; another backend's are not shown. */
export const deniedText = ({ message }: Refusal): string =>
  message && TEXTS.has(message) ? message : denialText(undefined);

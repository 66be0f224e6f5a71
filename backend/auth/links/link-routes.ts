import { isVerifyType } from '#backend/auth/codes/one-time-tokens.ts';
import type { AuthApp } from '#backend/auth/kit/auth-app.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { countTry } from '#backend/auth/kit/rate-limit.ts';
import { readableError } from '#backend/auth/kit/readable-error.ts';
import { allowedRedirect, withError } from '#backend/auth/kit/redirects.ts';
import {
  OtpBody,
  RecoverBody,
  ResendBody,
  readBody,
  readChallenge,
  requireEmail,
} from '#backend/auth/kit/request-body.ts';
import { readMetadata } from '#backend/auth/people/metadata.ts';
import { askForCode } from '#backend/auth/phone/ask-for-code.ts';
import { requirePhone } from '#backend/auth/phone/phone-number.ts';
import { resendCode } from '#backend/auth/phone/resend-code.ts';
import { askForLink } from './ask-for-link.ts';
import { earlyVisit } from './early-visit.ts';
import { linkExpired, openLink } from './open-link.ts';
import { recover } from './recover.ts';
import { resend } from './resend.ts';

export const LINK_METHODS = { '/otp': 'POST', '/resend': 'POST', '/recover': 'POST' };

/** Asking for a link or a code, once more, and the click on the link. `sweep`: deletes what is too old. */
export function linkRoutes(app: AuthApp, context: AuthContext, sweep: () => void): void {
  app.post('/otp', async (c) => {
    await countTry(context, AUTH_LIMITS.asks, c.get('caller'));
    const body = await readBody(c.req.raw, OtpBody);
    if (body.phone && !body.email) {
      await askForCode(context, { phone: requirePhone(body.phone), ip: c.get('caller').ip });
      return c.json({});
    }
    const asked = await askForLink(context, {
      email: requireEmail(body),
      type: 'magiclink',
      createUser: body.create_user ?? true,
      metadata: readMetadata(body.data),
      challenge: readChallenge(body),
      redirectTo: allowedRedirect(context, c.req.query('redirect_to')),
      ip: c.get('caller').ip,
    });
    sweep();
    return c.json({}, 200, asked.sent ? {} : headersOf(asked));
  });
  app.post('/resend', async (c) => {
    await countTry(context, AUTH_LIMITS.asks, c.get('caller'));
    const body = await readBody(c.req.raw, ResendBody);
    if (body.type === 'sms' || body.type === 'phone_change') {
      await resendCode(context, { type: body.type, phone: requirePhone(body.phone), ip: c.get('caller').ip });
      return c.json({});
    }
    await resend(context, {
      email: requireEmail(body),
      type: body.type,
      challenge: readChallenge(body),
      redirectTo: allowedRedirect(context, c.req.query('redirect_to')),
      ip: c.get('caller').ip,
    });
    return c.json({});
  });

  app.post('/recover', async (c) => {
    await countTry(context, AUTH_LIMITS.asks, c.get('caller'));
    const body = await readBody(c.req.raw, RecoverBody);
    await recover(context, {
      email: requireEmail(body),
      challenge: readChallenge(body),
      redirectTo: allowedRedirect(context, c.req.query('redirect_to')),
      ip: c.get('caller').ip,
    });
    return c.json({});
  });

  app.get('/verify', async (c) => {
    c.header('Referrer-Policy', 'no-referrer');
    const early = earlyVisit(c.req.raw);
    if (early) return c.body(null, early);
    const redirectTo = allowedRedirect(context, c.req.query('redirect_to'));
    try {
      const type = c.req.query('type');
      if (!isVerifyType(type)) throw linkExpired();
      const token = c.req.query('token') ?? c.req.query('token_hash') ?? '';
      return c.redirect(await openLink(context, { token, type, redirectTo }, c.get('caller')), 303);
    } catch (error) {
      return c.redirect(withError(redirectTo, readableError(error, context)), 303);
    }
  });
}

/** For our page: when the link went out that its browser may finish with, and when another may be sent. */
const headersOf = ({ since, resetsInMs }: { since?: Date; resetsInMs: number }): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil(resetsInMs / 1000))),
  ...(since ? { 'Fairlead-Link-Sent-At': since.toISOString() } : {}),
});

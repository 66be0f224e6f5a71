import type { AuthHooks } from '#backend/auth/kit/hooks.ts';
import { askBeforeUserCreated } from './before-user-created.ts';
import { askCustomAccessToken } from './custom-access-token.ts';
import { type HooksOptions, readHooks } from './hook-options.ts';
import { sendEmailByHook } from './send-email.ts';
import { sendNoticeByHook } from './send-notice.ts';
import { sendSmsByHook } from './send-sms.ts';
import type { Site } from './site.ts';

/** GoTrue's hooks over HTTP, for a backend that stands in Supabase's place. */
export function createHttpHooks(site: Site, options: HooksOptions): AuthHooks {
  const { beforeUserCreated, customAccessToken, sendEmail, sendSms } = readHooks(options);
  return {
    ...(beforeUserCreated && {
      beforeUserCreated: (newcomer, caller) => askBeforeUserCreated(site, beforeUserCreated, newcomer, caller),
    }),
    ...(customAccessToken && {
      customAccessToken: (claims, wish) => askCustomAccessToken(site, customAccessToken, claims, wish),
    }),
    ...(sendEmail && {
      sendEmail: (user, mails) => sendEmailByHook(site, sendEmail, user, mails),
      sendNotice: (user, change) => sendNoticeByHook(site, sendEmail, user, change),
    }),
    ...(sendSms && { sendSms: (user, message) => sendSmsByHook(site, sendSms, user, message) }),
  };
}

import { STOP_CODE_MINUTES } from '#contract/calling/stop-page.ts';
import type { Mail } from '#server/mail/mail.ts';
import { productMail } from '#server/mail/product-mail.ts';

const hostOf = (siteUrl: string): string => new URL(siteUrl).host;

/** Nothing in it comes from the person who asked. */
export const codeMail = (code: string, siteUrl: string): Omit<Mail, 'to'> =>
  productMail({
    subject: `Your code is ${code}`,
    paragraphs: [
      `Someone asked at ${hostOf(siteUrl)} that we stop contacting this address.`,
      `If that was you, type ${code} there. It works for ${STOP_CODE_MINUTES} minutes.`,
    ],
    button: { label: 'Open the page', link: `${siteUrl}/stop` },
    notes: ['If it was not you, do nothing: nothing changes.'],
    siteUrl,
  });

export const codeText = (code: string, siteUrl: string): string =>
  `${code} is your code to stop calls, from ${hostOf(siteUrl)}. It works for ${STOP_CODE_MINUTES} minutes. Not you? Do nothing.`;

import type { BudgetNotice } from '#contract/money/budgets.ts';
import { microsToDollars } from '#contract/money/costs.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import type { Mail } from '#server/mail/mail.ts';
import { productMail } from '#server/mail/product-mail.ts';

const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });

/** Tells how much of a month's budget is spent. Money in micro-dollars. */
export function noticeMail({
  budget,
  percent,
  sandbox,
  limitMicros,
  spentMicros,
  siteUrl,
}: BudgetNotice & { limitMicros: number; spentMicros: number; siteUrl: string }): Omit<Mail, 'to'> {
  const what = budget === 'month' ? 'budget' : `${PROVIDER_CATALOGUE[budget].name} budget`;
  const kind = sandbox ? 'sandbox ' : '';
  const all = percent === 100;
  return productMail({
    subject: `${all ? 'All' : `${percent}%`} of your ${kind}${what} for ${month.format()} is spent`,
    paragraphs: [
      `Your searches and lookups have cost ${inDollars(spentMicros)} of the ${inDollars(limitMicros)} that your ${what} allows for ${month.format()}.`,
      all
        ? 'No more paid work can start under it this month. You keep everything that was found.'
        : 'A run that may cost more than what is left will not start.',
      ...(sandbox ? ['This is sandbox money. No one was charged.'] : []),
    ],
    button: { label: 'See your budgets', link: `${siteUrl}/settings#budgets` },
    notes: ['You get this email at 80% and at 100% of a budget, once each per month. Months begin and end in UTC.'],
    siteUrl,
  });
}

const inDollars = (micros: number): string => `$${microsToDollars(micros).toFixed(2)}`;

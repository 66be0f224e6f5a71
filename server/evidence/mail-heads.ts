import { sql } from 'kysely';
import type { ChainHead } from '#contract/calling/evidence.ts';
import type { Deps } from '#server/deps.ts';
import type { Mail } from '#server/mail/mail.ts';
import { productMail } from '#server/mail/product-mail.ts';
import { readHead } from './read-head.ts';

/** Looks come every few minutes: one mail a day is written at about the same time. */
const ONE_MAIL_IN_HOURS = 24;

/** Mails the head of the chain to the administrators who want it, at most once a day. A mail that fails is tried again at the next look. */
export async function mailHeads(
  deps: Pick<Deps, 'db' | 'sendMail' | 'siteUrl' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, siteUrl } = deps;
  const { rows } = await sql<{ id: string; email: string }>`
    select user_id as id, email from app.evidence_mails_due(${ONE_MAIL_IN_HOURS})
  `.execute(db);
  for (const { id, email } of rows) {
    if (signal.aborted) return;
    try {
      await deps.sendMail({ to: email, ...headMail(await readHead(db), siteUrl) });
      await sql`update app.evidence_mails set mailed_at = now() where user_id = ${id}`.execute(db);
    } catch (error) {
      log.warn({ err: error, userId: id }, 'the head of the evidence could not be emailed');
    }
  }
}

function headMail({ position, hash, at }: ChainHead, siteUrl: string): Omit<Mail, 'to'> {
  return productMail({
    subject: `Evidence: entry ${position.toLocaleString('en-US')}`,
    paragraphs: [
      position === 0
        ? 'The evidence of your installation has no entry yet.'
        : `The newest entry of the evidence is number ${position.toLocaleString('en-US')}, written on ${at}.`,
      `Its hash: ${hash}`,
      'Keep this email. With it, no one can change an earlier entry without being found out, not even the owner of the server: to check an evidence pack against it, have the pack made with this number under “Prove entry”.',
    ],
    button: { label: 'Open the evidence', link: `${siteUrl}/evidence` },
    notes: ['You get this email each day because you asked for it. You can end it on that page.'],
    siteUrl,
  });
}

import { type Env, outboxOf } from '#server/config/env.ts';
import { rulesOf } from '#server/footing/rules.ts';

/** What a person at the terminal is told once everything is up: where to go, and what to do first. */
export function greeting(env: Env, publicUrl: string, database: string): string {
  if (env.role === 'worker') return `Fairlead's worker is running (${database}). Ctrl-C stops it.`;
  const mailbox = outboxOf(env) !== undefined;
  const steps = [
    `Open ${publicUrl} and enter your email address.`,
    mailbox
      ? `No email is sent. The sign-in link is printed here, and kept at ${publicUrl}/outbox.`
      : 'Open the link in the email.',
    ...(env.sandbox
      ? [
          'In Settings, connect the providers with your own keys, or type "sandbox" as the key to try it with invented data.',
        ]
      : ['In Settings, connect the providers with your own keys.']),
  ];
  return [
    `Fairlead is ready: ${publicUrl}`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    ...(mailbox || env.smtpUrl || !rulesOf(env).mailsSignIn
      ? []
      : ['  No one can sign in until SMTP_URL is set, because no email can be sent.']),
    ...(env.role === 'web' ? ['  ROLE=web: start a process with ROLE=worker too. It does the searches.'] : []),
    `  ${database}. Ctrl-C stops everything.`,
  ].join('\n');
}

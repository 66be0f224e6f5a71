import { ExternalLink, MailCheck } from 'lucide-react';
import { useConfig } from '#web/lib/backend/config.tsx';
import type { LinkSent } from '#web/lib/session/link-sent.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeForm } from './code-form.tsx';
import { SendAgain } from './send-again.tsx';

/** After the link was sent: open the mail, or type its code. */
export function CheckEmail({
  email,
  sent = {},
  onChangeEmail,
}: {
  email: string;
  sent?: LinkSent;
  onChangeEmail: () => void;
}) {
  const { mailbox } = useConfig();
  return (
    <div className="grid gap-5">
      <div role="status" className="flex gap-3">
        <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
        <div className="min-w-0">
          <p className="font-medium">Check your email for a magic link to sign in.</p>
          <p className="text-secondary">
            Sent to <span className="break-all text-foreground">{email}</span>. You can use the link once, within an
            hour. The code works for 10 minutes.
          </p>
          {sent.sentBefore ? <p className="text-secondary">{sent.sentBefore}</p> : null}
        </div>
      </div>
      {mailbox ? (
        <Button asChild variant="primary" size="lg">
          <a href="/outbox" target="_blank" rel="noreferrer">
            Open the mailbox
            <ExternalLink aria-hidden />
          </a>
        </Button>
      ) : null}
      <CodeForm email={email} />
      <SendAgain email={email} until={sent.until} />
      <Button variant="ghost" onClick={onChangeEmail}>
        Use a different email
      </Button>
    </div>
  );
}

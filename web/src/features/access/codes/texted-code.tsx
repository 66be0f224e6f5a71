import type { ReactNode } from 'react';
import { useConfig } from '#web/lib/backend/config.tsx';
import { formatPhone } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from './code-field.tsx';
import { TextAgain } from './text-again.tsx';

/** Asks for a code that was texted to `phone`: the digits, another text, or another number. `sentAt`: in ms since 1970. */
export function TextedCode({
  phone,
  lasts,
  code,
  onCode,
  error,
  sentAt,
  texting,
  onText,
  onOtherNumber,
}: {
  phone: string;
  lasts?: ReactNode;
  code: string;
  onCode: (code: string) => void;
  error: string | undefined;
  sentAt: number;
  texting: boolean;
  onText: () => void;
  onOtherNumber: () => void;
}) {
  const { mailbox } = useConfig();
  return (
    <>
      <p role="status" className="text-secondary">
        We texted a code to <span className="whitespace-nowrap font-medium text-foreground">{formatPhone(phone)}</span>.
        {lasts}
        {mailbox ? (
          <>
            {' '}
            <a
              href="/outbox"
              target="_blank"
              rel="noreferrer"
              className="whitespace-nowrap text-accent underline underline-offset-4"
            >
              Open the mailbox
            </a>
          </>
        ) : null}
      </p>
      <CodeField code={code} onCode={onCode} error={error} autoFocus />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <TextAgain sentAt={sentAt} pending={texting} onText={onText} />
        <Button variant="link" onClick={onOtherNumber}>
          Use a different number
        </Button>
      </div>
    </>
  );
}

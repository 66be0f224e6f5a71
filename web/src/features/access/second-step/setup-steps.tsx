import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { Setup } from './second-step-api.ts';

/** In groups of four, for anyone who types it. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** What an authenticator app has to be told, as a picture and as text. */
export function SetupSteps({ setup }: { setup: Setup }) {
  return (
    <div className="grid gap-3">
      <p className="text-secondary">
        Scan this with an authenticator app, such as the one of your password manager, Google or Microsoft.
      </p>
      <img
        src={setup.qrCode}
        alt="QR code for the authenticator app. The key below says the same."
        className="size-44 justify-self-center rounded-lg border bg-white"
      />
      <div className="grid gap-1">
        <p className="text-faint text-sm">Or type this key into the app</p>
        <div className="flex items-start justify-between gap-2 rounded-lg border bg-muted py-1.5 pr-1.5 pl-3">
          <code className="select-all break-words py-0.5 font-mono text-sm">{grouped(setup.secret)}</code>
          <CopyButton text={setup.secret} />
        </div>
      </div>
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  // Browsers give it to pages over https, and on this machine, only.
  if (!navigator.clipboard) return null;
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <Button variant="ghost" size="sm" onClick={copy}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}

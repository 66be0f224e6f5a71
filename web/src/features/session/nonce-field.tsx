import { Button } from '#web/ui/button.tsx';
import { CodeField } from './code-field.tsx';
import type { Nonce } from './use-nonce.ts';

/** Asks for the code that was mailed to `email`, once there is one. */
export function NonceField({
  nonce: { isNeeded, code, setCode, mailing },
  email,
  error,
}: {
  nonce: Nonce;
  email: string;
  error: string | undefined;
}) {
  if (!isNeeded) return null;
  return (
    <div className="grid gap-2">
      <CodeField
        code={code}
        onCode={setCode}
        error={error}
        autoFocus
        hint={
          mailing.isSuccess ? (
            <>
              Your last sign-in was a while ago. We mailed a code to <span className="wrap-anywhere">{email}</span>.
            </>
          ) : undefined
        }
      />
      <Button
        variant="link"
        className="justify-self-start"
        pending={mailing.isPending}
        onClick={() => mailing.mutate()}
      >
        Send another code
      </Button>
    </div>
  );
}

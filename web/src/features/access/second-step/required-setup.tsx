import { type FormEvent, useState } from 'react';
import { CodeField } from '#web/features/access/codes/code-field.tsx';
import { CODE_LENGTH } from '#web/features/access/codes/verify-code.ts';
import { useTexts } from '#web/lib/backend/auth-settings.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { PhoneSetupDialog } from './phone-setup-dialog.tsx';
import { type Setup, useBeginSetup, useProve } from './second-step-api.ts';
import { SetupSteps } from './setup-steps.tsx';

/** For anyone who gets nowhere without a second step, and has none. */
export function RequiredSetup() {
  const beginning = useBeginSetup();
  const texts = useTexts();
  const [addingPhone, setAddingPhone] = useState(false);
  if (beginning.data) return <Finish setup={beginning.data} />;
  return (
    <div className="grid gap-4">
      {beginning.error ? <Alert tone="danger">{beginning.error.message}</Alert> : null}
      <Button variant="primary" size="lg" pending={beginning.isPending} onClick={() => beginning.mutate()}>
        Set up an authenticator app
      </Button>
      {texts ? (
        <Button size="lg" onClick={() => setAddingPhone(true)}>
          Use text messages
        </Button>
      ) : null}
      {addingPhone ? <PhoneSetupDialog onClose={() => setAddingPhone(false)} /> : null}
    </div>
  );
}

function Finish({ setup }: { setup: Setup }) {
  const [code, setCode] = useState('');
  const proving = useProve();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    proving.mutate({ factorId: setup.factorId, code });
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <SetupSteps setup={setup} />
      <CodeField code={code} onCode={setCode} error={proving.error?.message} autoFocus />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={code.length < CODE_LENGTH}
        pending={proving.isPending}
      >
        Turn on and continue
      </Button>
    </form>
  );
}

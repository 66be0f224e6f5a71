import { type ReactNode, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { CodeForm } from './code-form.tsx';
import { EnterForm } from './enter-form.tsx';
import type { Entered } from './entered.ts';

/** `ask` names the request once it was sent. */
type Step = { name: 'enter' } | { name: 'code'; ask: string } | { name: 'waits' } | { name: 'done' };

/** Enter a number or address, then its code. `texts`: whether numbers get one by text message. */
export function StopForm({ texts }: { texts: boolean }) {
  const [entered, setEntered] = useState<Entered>({ kind: 'phone', value: '' });
  const [step, setStep] = useState<Step>({ name: 'enter' });
  const again = () => {
    setEntered({ ...entered, value: '' });
    setStep({ name: 'enter' });
  };
  switch (step.name) {
    case 'enter':
      return (
        <EnterForm
          entered={entered}
          onChange={setEntered}
          onAsked={(ask) => setStep(entered.kind === 'email' || texts ? { name: 'code', ask } : { name: 'waits' })}
        />
      );
    case 'code':
      return <CodeForm entered={entered} ask={step.ask} onDone={() => setStep({ name: 'done' })} onBack={again} />;
    case 'waits':
      return (
        <Ended title="Thank you" onAgain={again}>
          An administrator will review your request. We cannot text you a code, so this is done by hand.
        </Ended>
      );
    case 'done':
      return (
        <Ended title="You will not be contacted anymore" onAgain={again}>
          <bdi>{entered.value}</bdi> is on the list from now on. Calls or emails that were already on their way may
          still reach you in the next few days.
        </Ended>
      );
  }
}

function Ended({ title, children, onAgain }: { title: string; children: ReactNode; onAgain: () => void }) {
  return (
    <div className="grid gap-4">
      <div role="status">
        <Alert tone="success" title={title}>
          {children}
        </Alert>
      </div>
      <Button variant="ghost" onClick={onAgain}>
        Enter another number or address
      </Button>
    </div>
  );
}

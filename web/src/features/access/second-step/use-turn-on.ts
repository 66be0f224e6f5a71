import { type FormEvent, useState } from 'react';
import { toast } from '#web/ui/feedback/toast.ts';
import { useProve } from './second-step-api.ts';

/** The code with which a factor that was begun begins to count. `challengeId`: of a code that was texted. */
export function useTurnOn(factor: { factorId: string; challengeId?: string }, onDone: () => void) {
  const [code, setCode] = useState('');
  const proving = useProve();
  const turnOn = (event: FormEvent) => {
    event.preventDefault();
    proving.mutate(
      { ...factor, code },
      {
        onSuccess: () => {
          toast.success('Two-step sign-in is on', 'From now on, we ask for a code after the first step.');
          onDone();
        },
      },
    );
  };
  return { code, setCode, proving, turnOn };
}

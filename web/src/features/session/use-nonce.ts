import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { getSupabase } from '#web/lib/supabase.ts';
import { ChangeError, changeError } from './change-error.ts';
import { CODE_LENGTH } from './verify-code.ts';

async function mailNonce(): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await auth.reauthenticate();
  if (error) throw changeError(error, 'email');
}

export type Nonce = ReturnType<typeof useNonce>;

/** A code of the present mailbox, for whoever signed in a while ago: mailed, and asked for, once a change was refused for want of it. */
export function useNonce() {
  const [isNeeded, setNeeded] = useState(false);
  const [code, setCode] = useState('');
  const mailing = useMutation({ mutationFn: mailNonce });
  return {
    ...{ isNeeded, code, setCode, mailing },
    isComplete: !isNeeded || code.length === CODE_LENGTH,
    /** What goes along with the change. */
    value: isNeeded ? code : undefined,
    /** Takes the error of a change. */
    askAfter(error: Error) {
      if (!(error instanceof ChangeError && error.needsCode)) return;
      setNeeded(true);
      mailing.mutate();
    },
  };
}

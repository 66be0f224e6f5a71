import type { ReactNode } from 'react';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { readCode } from './verify-code.ts';

/** Six digits of a text message, a mail or an authenticator app. */
export function CodeField({
  code,
  onCode,
  error,
  hint,
  autoFocus = false,
}: {
  code: string;
  onCode: (code: string) => void;
  error: string | undefined;
  hint?: ReactNode;
  autoFocus?: boolean;
}) {
  return (
    <Field label="6-digit code" error={error} hint={hint}>
      <Input
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus={autoFocus}
        value={code}
        onChange={(event) => onCode(readCode(event.target.value))}
        className="tracking-[0.3em] tabular-nums"
      />
    </Field>
  );
}

import { Eye, EyeOff } from 'lucide-react';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import { API_KEY_MAX_LENGTH } from '#contract/account/api-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { type SearchbugKey, splitKey } from './searchbug-key.ts';

/** The field of a provider that knows one key. */
export function KeyField({
  label = 'API key',
  value,
  error,
  hint,
  onChange,
  onPaste,
}: {
  label?: string;
  value: string;
  error: string | undefined;
  hint: ReactNode;
  onChange: (text: string) => void;
  onPaste?: ((event: ClipboardEvent<HTMLInputElement>) => void) | undefined;
}) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} error={error} hint={hint}>
      <div className="flex gap-2">
        <Input
          {...NOT_REMEMBERED}
          type={shown ? 'text' : 'password'}
          maxLength={API_KEY_MAX_LENGTH}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onPaste={onPaste}
        />
        <Button
          size="icon"
          className="size-9"
          aria-label={shown ? 'Hide key' : 'Show key'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </Button>
      </div>
    </Field>
  );
}

/** Browsers and password managers leave the field alone. */
const NOT_REMEMBERED = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': 'true',
} as const;

/** SearchBug's two fields, under the names that its own site has for them. Both halves pasted into one fill both. */
export function SearchbugFields({
  value,
  missing,
  error,
  hint,
  onChange,
}: {
  value: SearchbugKey;
  /** The half that is needed besides the other one. */
  missing: keyof SearchbugKey | undefined;
  error: string | undefined;
  hint: ReactNode;
  onChange: (key: SearchbugKey) => void;
}) {
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const both = splitKey(event.clipboardData.getData('text'));
    if (!both) return;
    event.preventDefault();
    onChange(both);
  };
  return (
    <>
      <Field
        label="Account Number"
        error={missing === 'account' ? 'Please enter your SearchBug Account Number' : undefined}
        hint="Both are on SearchBug’s “Your Account” page."
      >
        <Input
          {...NOT_REMEMBERED}
          maxLength={API_KEY_MAX_LENGTH}
          value={value.account}
          onChange={(event) => onChange({ ...value, account: event.target.value })}
          onPaste={paste}
        />
      </Field>
      <KeyField
        label="API Key"
        value={value.secret}
        error={missing === 'secret' ? 'Please enter an API key' : error}
        hint={hint}
        onChange={(secret) => onChange({ ...value, secret })}
        onPaste={paste}
      />
    </>
  );
}

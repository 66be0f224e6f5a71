import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';

/** A phone number with its country code. A dialog that opens gives the focus to its first field, and back when it closes, without `autoFocus`. */
export function PhoneField({
  phone,
  onPhone,
  error,
  label = 'Phone number',
  autoFocus = false,
}: {
  phone: string;
  onPhone: (phone: string) => void;
  error: string | undefined;
  label?: string;
  autoFocus?: boolean;
}) {
  return (
    <Field label={label} error={error} hint={error ? undefined : 'With its country code.'}>
      <Input
        type="tel"
        autoComplete="tel"
        placeholder="+1 217-555-0101"
        autoFocus={autoFocus}
        value={phone}
        onChange={(event) => onPhone(event.target.value)}
      />
    </Field>
  );
}

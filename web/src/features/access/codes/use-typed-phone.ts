import { useState } from 'react';
import { z } from 'zod/mini';

/** A number with its country code (E.164), as people write it: spaces, dots, hyphens and brackets go, the plus stays. */
export const PhoneNumber = z.string().check(
  z.trim(),
  z.overwrite((text) => text.replace(/^00/, '+').replaceAll(/[\s().-]/g, '')),
  z.regex(/^\+[1-9]\d{6,14}$/, 'Enter the number with its country code, such as +1 217-555-0101.'),
);

/** What is typed into a PhoneField, and what is wrong with it. `refuse` says why a number cannot be taken though it is one. */
export function useTypedPhone(refuse: (phone: string) => string | undefined = () => undefined) {
  const [text, setText] = useState('');
  const [invalid, setInvalid] = useState<string>();
  return {
    text,
    invalid,
    type(next: string) {
      setText(next);
      setInvalid(undefined);
    },
    /** The number as E.164. Undefined, with the reason in the field, when it is no number or refused. */
    read(): string | undefined {
      const { data: phone, error } = PhoneNumber.safeParse(text);
      const wrong = phone === undefined ? error?.issues[0]?.message : refuse(phone);
      setInvalid(wrong);
      return wrong === undefined ? phone : undefined;
    },
  };
}

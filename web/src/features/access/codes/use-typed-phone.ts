import { useState } from 'react';
import { PhoneNumber } from '#contract/phone.ts';

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
    /** The number as E.164; undefined, and told in the field, when it is none or refused. */
    read(): string | undefined {
      const { data: phone, error } = PhoneNumber.safeParse(text);
      const wrong = phone === undefined ? error?.issues[0]?.message : refuse(phone);
      setInvalid(wrong);
      return wrong === undefined ? phone : undefined;
    },
  };
}

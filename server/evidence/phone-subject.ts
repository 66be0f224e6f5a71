import { e164Of } from '#server/calling/us-phone.ts';

/** The subject of a number in any spelling, "phone:+12175550100". Undefined for other text. Without a country code, it is American. */
export function phoneSubject(text: string): string | undefined {
  const number = e164Of(text);
  return number === undefined ? undefined : `phone:${number}`;
}

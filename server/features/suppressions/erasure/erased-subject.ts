import type { ERASABLE_KINDS } from '#contract/calling/suppression-sources.ts';

/** Who is erased. `key`: as in app.suppressions; `value`: the key without its kind; `hash`: what stays, in hex. */
export type ErasedSubject = { kind: (typeof ERASABLE_KINDS)[number]; key: string; value: string; hash: string };

/** As SearchBug is asked: ten digits; undefined for all others. */
export const usDigits = ({ kind, value }: ErasedSubject): string | undefined =>
  kind === 'phone' && /^\+1\d{10}$/.test(value) ? value.slice(2) : undefined;

/** A pattern that finds the subject in a text, in any spelling of its digits or letters. For PostgreSQL's `~*`. */
export function patternOf(subject: ErasedSubject): string {
  const { kind, value } = subject;
  if (kind !== 'phone') return `(^|[^[:alnum:]._+-])${value.replaceAll(/[^a-z0-9]/gi, '\\$&')}($|[^[:alnum:]_-])`;
  const digits = usDigits(subject) ?? value.slice(1);
  return `(^|[^0-9])(\\+?1?[^0-9]{0,3})?${[...digits].join('[^0-9]{0,3}')}($|[^0-9])`;
}

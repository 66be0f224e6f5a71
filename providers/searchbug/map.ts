import type { PhoneScrub, PhoneVerdict } from '#providers/provider.ts';
import { type WireAnswer, type WirePhone, wirePhone } from './api-types.ts';

/** When two entries speak about one number, the more restrictive one holds. */
const restriction: Readonly<Record<PhoneVerdict['status'], number>> = { safe: 0, not_checked: 1, dnc: 2, litigator: 3 };

/** A verdict for every number asked: what the answer leaves out, or says unreadably, is not checked, never safe. */
export function toVerdicts(answer: WireAnswer, asked: readonly string[]): Map<string, PhoneVerdict> {
  const verdicts = new Map<string, PhoneVerdict>();
  if (isSuccess(answer)) {
    for (const phone of phonesOf(answer)) {
      const verdict = toVerdict(phone);
      const earlier = verdict && verdicts.get(verdict.number);
      if (!verdict || !asked.includes(verdict.number)) continue;
      if (!earlier || restriction[verdict.status] > restriction[earlier.status]) verdicts.set(verdict.number, verdict);
    }
  }
  for (const number of asked) {
    if (!verdicts.has(number)) verdicts.set(number, { number, status: 'not_checked' });
  }
  return verdicts;
}

/** "Success" without an error text beside it. */
export function isSuccess(answer: WireAnswer): boolean {
  return normal(answer.Status) === 'SUCCESS' && errorText(answer) === '';
}

/** The error text of an answer, empty when there is none. */
export function errorText(answer: WireAnswer): string {
  const { Error: error } = answer;
  if (error === undefined || error === null) return '';
  return typeof error === 'string' ? error.trim() : JSON.stringify(error);
}

/** One number's verdict, fail-closed; undefined when the entry does not say which number it is about. */
export function toVerdict(phone: WirePhone): PhoneVerdict | undefined {
  const number = tenDigits(phone.NUMBER);
  if (!number) return undefined;
  const type = lineType(phone);
  return { number, ...listing(phone), ...(type === undefined ? {} : { lineType: type }) };
}

function listing(phone: WirePhone): Pick<PhoneVerdict, 'status' | 'codes'> {
  const lists = normal(phone.DNC);
  const litigation = normal(phone.TCPA);
  if (lists === '' || (litigation !== 'YES' && litigation !== 'NO')) return { status: 'not_checked' };
  const codes = lists === 'NO' ? {} : { codes: lists.replace(/\s*,\s*/g, ',') };
  if (litigation === 'YES') return { status: 'litigator', ...codes };
  return lists === 'NO' ? { status: 'safe' } : { status: 'dnc', ...codes };
}

function lineType(phone: WirePhone): PhoneVerdict['lineType'] {
  if (normal(phone.VOIP) === 'YES') return 'voip';
  const type = normal(phone.TYPE);
  return type === 'CELLULAR' ? 'mobile' : type === 'LANDLINE' ? 'landline' : undefined;
}

/** Price and balance of a scrub, in micro-dollars. */
export function toStats(answer: WireAnswer): Pick<PhoneScrub, 'rateMicros' | 'balanceMicros'> {
  const rateMicros = toMicros(answer.Data?.STATS?.RATE ?? answer.Data?.RATE);
  const balanceMicros = toMicros(answer.Data?.STATS?.BALANCE ?? answer.Data?.BALANCE);
  return {
    ...(rateMicros === undefined ? {} : { rateMicros }),
    ...(balanceMicros === undefined ? {} : { balanceMicros }),
  };
}

/** "49.82", "$1,049.82" or 49.82 dollars in micro-dollars; undefined when it is no amount. */
export function toMicros(amount: string | number | null | undefined): number | undefined {
  const text = String(amount ?? '').replace(/[$,\s]/g, '');
  return /^-?\d+(\.\d+)?$|^\.\d+$/.test(text) ? Math.round(Number(text) * 1_000_000) : undefined;
}

function phonesOf(answer: WireAnswer): WirePhone[] {
  const phones: unknown = answer.Data?.PHONE;
  const entries: unknown[] = Array.isArray(phones) ? phones : [phones];
  return entries.flatMap((entry) => {
    const parsed = wirePhone.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

function tenDigits(text: string | null | undefined): string | undefined {
  const digits = (text ?? '').replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10 ? digits : undefined;
}

const normal = (text: string | null | undefined): string => (text ?? '').trim().toUpperCase();

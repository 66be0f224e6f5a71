import { parseNumber } from '#server/calling/parse-number.ts';
import { plainAmerican } from '#server/calling/us-phone.ts';

/** What a lead's phone field holds. `none`: nothing. `foreign`: not a US number, or not a number at all. */
export type LeadPhone = { kind: 'us'; number: string } | { kind: 'foreign' } | { kind: 'none' };

/** Reads the 10 digits of a US number. A number without a country code is read as one, a number of another country never is. */
export function readPhone(phone: string | null): LeadPhone {
  const text = phone?.trim();
  if (!text) return { kind: 'none' };
  const plain = plainAmerican(text);
  if (plain) return isUs(plain) ? { kind: 'us', number: plain } : { kind: 'foreign' };
  return parsed(text);
}

function parsed(text: string): LeadPhone {
  const phone = parseNumber(text);
  if (phone?.country !== 'US' || !phone.isValid()) return { kind: 'foreign' };
  return { kind: 'us', number: phone.nationalNumber };
}

const [UNKNOWN, US, FOREIGN] = [0, 1, 2];
/** What is known about the first six digits. The last four say nothing about the country, and a list has few area codes. */
const byExchange = new Uint8Array(1_000_000);

function isUs(digits: string): boolean {
  const exchange = Number(digits.slice(0, 6));
  if (byExchange[exchange] === UNKNOWN) byExchange[exchange] = parsed(digits).kind === 'us' ? US : FOREIGN;
  return byExchange[exchange] === US;
}

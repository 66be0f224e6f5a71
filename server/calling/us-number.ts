import { isAmerican, stateOfAreaCode } from '#calling/zones/area-codes.ts';
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
  if (!phone) return { kind: 'foreign' };
  const { country, nationalNumber } = phone;
  const isKnown = country === 'US' && phone.isValid();
  return isKnown || isOfNewCode(phone.number) ? { kind: 'us', number: nationalNumber } : { kind: 'foreign' };
}

/** Whether a number has an area code that was given out to a state since the library was made, such as 729. */
const isOfNewCode = (number: string): boolean =>
  stateOfAreaCode(number) !== undefined && isAmerican(number) && parseNumber(number)?.country === undefined;

const [UNKNOWN, US, FOREIGN] = [0, 1, 2];
/** What is known about the first six digits. The last four say nothing about the country, and a list has few area codes. */
const byExchange = new Uint8Array(1_000_000);

function isUs(digits: string): boolean {
  const exchange = Number(digits.slice(0, 6));
  if (byExchange[exchange] === UNKNOWN) byExchange[exchange] = parsed(digits).kind === 'us' ? US : FOREIGN;
  return byExchange[exchange] === US;
}

import { seededRandom } from '#sandbox/businesses/random.ts';
import { areaCodesOfState } from '#sandbox/geography/area-codes.ts';

const states = ['TX', 'IL', 'CA', 'NY', 'FL', 'PA', 'CO', 'TN', 'IN', 'MO'] as const;

/** Numbers with higher last two digits are for trying out what an unreadable answer does; invented businesses have none. */
export const LAST_READABLE_ENDING = 96;

/**
 * What SearchBug says about a number of 10 digits, always the same: about 73 in 100 clean, 20 on a do-not-call list, 7 used
 * in litigation. Numbers that end in 97 or 98 get a verdict that cannot be read; those that end in 99 are missing from the
 * answer (undefined).
 */
export function phoneOnWire(number: string): Record<string, string> | undefined {
  const random = seededRandom(`searchbug|${number}`);
  const luck = random.next();
  const base = {
    NUMBER: number,
    NUMBER2: `(${number.slice(0, 3)}) ${number.slice(3, 6)}-${number.slice(6)}`,
    ...lineType(random.next()),
    CARRIER: 'SANDBOX TELECOM',
    OCN: '0000',
    PORTED: random.chance(0.2) ? 'YES' : 'NO',
    CODE: 'TLX',
  };
  const state = states.find((code) => areaCodesOfState(code).includes(number.slice(0, 3))) ?? 'TX';
  const ending = Number(number.slice(-2));
  if (ending > LAST_READABLE_ENDING) return unreadable(ending, base);
  if (luck < 0.73) return { ...base, DNC: 'NO', TCPA: 'NO' };
  if (luck < 0.93) return { ...base, DNC: random.pick(['FED', `FED,${state}`, state, 'CPL', 'FED,CPL']), TCPA: 'NO' };
  return { ...base, DNC: random.pick(['NO', 'FED']), TCPA: 'YES' };
}

function unreadable(ending: number, base: Record<string, string>): Record<string, string> | undefined {
  if (ending === 97) return { ...base, DNC: '', TCPA: 'NO' };
  return ending === 98 ? { ...base, DNC: 'NO' } : undefined;
}

function lineType(luck: number): Record<string, string> {
  if (luck < 0.5) return { TYPE: 'LANDLINE', VOIP: 'NO' };
  if (luck < 0.8) return { TYPE: 'CELLULAR', VOIP: 'NO' };
  return luck < 0.95 ? { TYPE: 'LANDLINE', VOIP: 'YES' } : {};
}

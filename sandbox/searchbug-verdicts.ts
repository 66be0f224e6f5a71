import { areaCodesOfState } from './area-codes.ts';
import { seededRandom } from './random.ts';

const states = ['TX', 'IL', 'CA', 'NY', 'FL', 'PA', 'CO', 'TN', 'IN', 'MO'] as const;

/**
 * What SearchBug says about a number of 10 digits, always the same: about 70 in 100 clean, 20 on a do-not-call list, 6 used
 * in litigation, the rest unreadable in one of the ways that happen. Undefined: the number is missing from the answer.
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
  if (luck < 0.7) return { ...base, DNC: 'NO', TCPA: 'NO' };
  if (luck < 0.9) return { ...base, DNC: random.pick(['FED', `FED,${state}`, state, 'CPL', 'FED,CPL']), TCPA: 'NO' };
  if (luck < 0.96) return { ...base, DNC: random.pick(['NO', 'FED']), TCPA: 'YES' };
  if (luck < 0.975) return { ...base, DNC: '', TCPA: 'NO' };
  if (luck < 0.99) return { ...base, DNC: 'NO' };
  return undefined;
}

function lineType(luck: number): Record<string, string> {
  if (luck < 0.5) return { TYPE: 'LANDLINE', VOIP: 'NO' };
  if (luck < 0.8) return { TYPE: 'CELLULAR', VOIP: 'NO' };
  return luck < 0.95 ? { TYPE: 'LANDLINE', VOIP: 'YES' } : {};
}

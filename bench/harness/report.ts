/** One figure and its limit. `unit` '×' is a ratio; `measured` and `against` say for people what was divided by what. */
export type Figure = {
  name: string;
  value: number;
  unit: '×' | '/s' | 'ms' | 's' | 'MB' | 'kB' | 'calls' | 'places' | 'entries' | 'µ$';
  /** Absent: for information. */
  limit?: readonly ['≤' | '≥', number];
  measured?: string;
  against?: string;
};

/** Prints one row for each figure, and makes the process end with code 1 when a limit is missed. */
export function report(figures: readonly Figure[]): void {
  console.log(row('figure', 'value', 'limit', '', 'from'));
  for (const { name, value, unit, limit, measured, against } of figures) {
    const [relation, bound] = limit ?? [];
    const passes = bound === undefined || (relation === '≤' ? value <= bound : value >= bound);
    if (!passes) process.exitCode = 1;
    const from = [measured, against && `against ${against}`].filter(Boolean).join(' ');
    const allowed = bound === undefined ? '' : `${relation} ${shown(bound, unit)}`;
    console.log(row(name, shown(value, unit), allowed, limit ? (passes ? 'pass' : 'FAIL') : '', from));
  }
}

const row = (name: string, value: string, limit: string, verdict: string, from: string) =>
  [name.padEnd(58), value.padStart(9), limit.padStart(11), verdict.padEnd(4), from].join('  ').trimEnd();

const DIGITS: Partial<Record<Figure['unit'], number>> = { s: 2, ms: 2, kB: 1 };
const shown = (value: number, unit: Figure['unit']) =>
  unit === '×' ? `${value.toFixed(2)} ×` : `${value.toFixed(DIGITS[unit] ?? 0)} ${unit}`;

/** Unbounded repetitions (`*`, `+`, `{2,}`) of one expression. */
const MAX_UNBOUNDED = 10;
/** The largest count in braces, and the largest product of counts that stand inside each other. */
const MAX_COUNT = 100;

const BACK_REFERENCE = 'a regular expression may not refer back to what it matched (\\1)';
const LOOKAROUND = 'a regular expression may not look around or set options: only (?: may follow a bracket and ?';
const NESTED = 'a regular expression may not repeat what repeats already, such as (a*)*';
const ADJACENT = 'a regular expression may not repeat the same characters twice in a row, such as a*a*';
const COUNTS = `a regular expression may repeat at most ${MAX_COUNT} times by counts in braces`;
const MANY = `a regular expression may have at most ${MAX_UNBOUNDED} unbounded repetitions`;

/** What an atom matches: a character, a class such as `d` of `\d`, or anything. */
type Matches = { char: string } | { class: string } | 'anything';
type Group = {
  /** The unbounded atoms that nothing mandatory has followed yet. */
  open: Matches[];
  unbounded: boolean;
  /** The largest product of counts within. */
  count: number;
};
type Atom = { matches: Matches; inside?: Group };
type Repetition = { least: number; most: number };

const newGroup = (): Group => ({ open: [], unbounded: false, count: 1 });

const QUANTIFIER = /([*+?]|\{(\d+)(,?)(\d*)\})\??/uy;
const BRACKET = /\[\^?\]?(?:\[([:.=]).*?\1\]|\\.|[^\]\\])*\]?/suy;
const CONSTRAINT = /\^|\$|\\[AmMyYZ]/uy;

/**
 * Says what could make PostgreSQL work for very long on a regular expression, or returns undefined.
 * It reads PostgreSQL's advanced expressions, and refuses too much rather than too little.
 */
export function describeRisk(regex: string): string | undefined {
  if (regex.startsWith('***')) return LOOKAROUND;
  const groups: Group[] = [newGroup()];
  let unbounded = 0;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(regex);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < regex.length) {
    const group = groups.at(-1) ?? newGroup();
    if (take(CONSTRAINT)) continue;
    if (take(/\\[1-9]/uy)) return BACK_REFERENCE;
    if (take(/\((?:\?:)?/uy)) {
      if (regex[at] === '?') return LOOKAROUND;
      groups.push(newGroup());
      continue;
    }
    if (take(/\|/uy)) {
      group.open = [];
      continue;
    }
    const closes = groups.length > 1 && take(/\)/uy) !== null;
    const atom: Atom = closes ? { matches: 'anything', inside: group } : { matches: readMatches(take) };
    if (closes) groups.pop();
    const repetition = repetitionOf(take(QUANTIFIER));
    if (repetition.most === Number.POSITIVE_INFINITY) unbounded += 1;
    const reason = addAtom(groups.at(-1) ?? group, atom, repetition);
    if (reason) return reason;
    if (unbounded > MAX_UNBOUNDED) return MANY;
  }
  return undefined;
}

function readMatches(take: (pattern: RegExp) => RegExpExecArray | null): Matches {
  if (take(BRACKET) || take(/\./uy)) return 'anything';
  const letter = take(/\\([dswDSW])/uy)?.[1];
  if (letter !== undefined) return { class: letter };
  // What else is escaped may be many characters: \x41, \u0041.
  if (take(/\\./suy)) return 'anything';
  return { char: take(/./suy)?.[0] ?? '' };
}

function repetitionOf(found: RegExpExecArray | null): Repetition {
  const [, sign, least = '', comma, most] = found ?? [];
  if (sign === undefined) return { least: 1, most: 1 };
  if (sign === '?') return { least: 0, most: 1 };
  if (sign === '*') return { least: 0, most: Number.POSITIVE_INFINITY };
  if (sign === '+') return { least: 1, most: Number.POSITIVE_INFINITY };
  if (comma !== ',') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most ? Number(most) : Number.POSITIVE_INFINITY };
}

function addAtom(group: Group, { matches, inside }: Atom, { least, most }: Repetition): string | undefined {
  const endless = most === Number.POSITIVE_INFINITY;
  if (inside?.unbounded && most > 1) return NESTED;
  const count = Math.max(1, least, endless ? 1 : most) * (inside?.count ?? 1);
  if (count > MAX_COUNT) return COUNTS;
  group.count = Math.max(group.count, count);
  if (!endless && !inside?.unbounded) {
    if (least > 0) group.open = [];
    return undefined;
  }
  group.unbounded = true;
  if (group.open.some((one) => overlap(one, matches))) return ADJACENT;
  group.open = least > 0 && !inside ? [matches] : [...group.open, matches];
  return undefined;
}

function overlap(one: Matches, other: Matches): boolean {
  if (one === 'anything' || other === 'anything') return true;
  if ('char' in one && 'char' in other) return one.char.toLowerCase() === other.char.toLowerCase();
  if ('char' in one) return 'class' in other && isIn(other.class, one.char);
  if ('char' in other) return isIn(one.class, other.char);
  const pair = [one.class, other.class].sort().join('');
  return !['Dd', 'Ss', 'Ww', 'ds', 'sw'].includes(pair);
}

const isIn = (letter: string, char: string): boolean => new RegExp(`\\${letter}`, 'u').test(char);

/** How far behind a house number its street ends, and its town. */
const FURTHEST = 80;

const NUMBER = /(?<![\p{L}\d/-]|\d[.,])\d{1,6}[a-z]?(?=\s+[\p{L}\d])/giu;
const KIND = new RegExp(
  `\\b(?:${[
    'alley|ave(?:nue)?|blvd|boulevard|broadway|cir(?:cle)?|court|ct|dr(?:ive)?|highway|hwy|lane|ln|loop|parkway|path|pike|pkwy',
    'pl(?:ace)?|plaza|rd|road|route|row|rte|sq|square|st|street|ter(?:race)?|trail|trl|walk|way',
  ].join('|')})\\b\\.?(?: (?:[news]|[ns][ew]|north|south|east|west)\\b\\.?)?`,
  'gi',
);
/** Town and state behind a street, with or without the ZIP code. */
const TOWN = /^[\s,]*(\p{L}[\p{L} .'’-]{1,40}?)(?:,\s*([A-Z]{2})\b|\s+([A-Z]{2})(?=[\s,]+\d{5}))(?:[\s,]+(\d{5}))?/u;

/** American streets with their house number within a longer text. With their town where it stands behind them: other towns have the same. */
export const streetsIn = (text: string): string[] =>
  [...text.matchAll(NUMBER)].flatMap(({ index }) => streetsAt(text.slice(index, index + FURTHEST * 2)));

function streetsAt(text: string): string[] {
  const [line = ''] = text.slice(0, FURTHEST).split(/[,;()|\n]/, 1);
  const ends = [...line.matchAll(KIND)].map(({ index, 0: kind }) => index + kind.length);
  return ends.length === 0 ? [] : [...new Set([...ends, line.trimEnd().length])].map((end) => withTown(text, end));
}

function withTown(text: string, end: number): string {
  const [, town, state, stateByZip, zip] = TOWN.exec(text.slice(end)) ?? [];
  const street = text.slice(0, end);
  return town === undefined ? street : [street, town, [state ?? stateByZip, zip].filter(Boolean).join(' ')].join(', ');
}

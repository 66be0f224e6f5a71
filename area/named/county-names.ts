/** What the Census Bureau calls the parts of Alaska, by the last three digits of their codes. All others are boroughs. */
const ALASKA: Readonly<Record<string, string>> = {
  '016': 'Census Area',
  '020': 'Municipality',
  '050': 'Census Area',
  '070': 'Census Area',
  '105': 'Census Area',
  '110': 'City and Borough',
  '158': 'Census Area',
  '180': 'Census Area',
  '198': 'Census Area',
  '220': 'City and Borough',
  '230': 'Municipality',
  '240': 'Census Area',
  '261': 'Census Area',
  '275': 'City and Borough',
  '282': 'City and Borough',
  '290': 'Census Area',
};

/** What they are called in a state that has no counties. Empty where the name says it all. */
const BY_STATE: Readonly<Record<string, string>> = {
  '11': '',
  '22': 'Parish',
  '60': 'District',
  '66': '',
  '69': 'Municipality',
  '72': 'Municipio',
  '78': '',
};

/** Codes of cities that belong to no county begin here: Baltimore, St. Louis, Carson City and those of Virginia. */
const FIRST_CITY = 510;

/** The whole name of a county, or of what a state has in place of counties, such as "Orleans Parish". `name`: without what it is. */
export function countyName(fips: string, name: string): string {
  const [state, number] = [fips.slice(0, 2), fips.slice(2)];
  const kind = state === '02' ? (ALASKA[number] ?? 'Borough') : (BY_STATE[state] ?? kindOf(Number(number)));
  return kind === '' || name.toLowerCase().endsWith(` ${kind}`) ? name : `${name} ${kind}`;
}

const kindOf = (number: number): string => (number >= FIRST_CITY ? 'city' : 'County');

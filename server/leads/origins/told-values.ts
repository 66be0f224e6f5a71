import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { contactsIn, wordsOf } from '#server/leads/contacts-in.ts';
import { streetsIn } from '#server/leads/streets-in.ts';
import { type Pair, readToldBeside } from './told-beside.ts';
import { FILE, FROM_FILE, type Releases, readReleases, type ValueColumn } from './value-rights.ts';

/** Values looked up at a time, and the longest in characters: no longer one was ever told. */
const AT_ONCE = 5_000;
const LONGEST = 600;
/** Letters of a name that is looked for within other cells: a shorter one may stand there by chance. */
const SHORTEST_NAME = 5;

/** What a lead names as the source of a value of someone's file: the file alone, or with who had told that value before. */
export type SourceOf = (value: string) => string;

/** The same for each row of a file: whose a name is depends on what stands beside it. */
export type SourcesOf = (row: FileRow) => SourceOf;

/** What a row of someone's file says. `extra`: its columns that are none of ours. */
type FileRow = {
  values: { readonly [column in ValueColumn]?: string | undefined };
  extra: Readonly<Record<string, string>>;
};
const textsOf = ({ values, extra }: FileRow): string[] =>
  [...Object.values(values), ...Object.values(extra)].filter((text) => text !== undefined);
/** Cells that may say anything, and something of others within. An address is looked through if it begins with no number. */
const freeTextsOf = ({ values: { business_name, address, owner_name, owner_title }, extra }: FileRow): string[] =>
  [
    ...Object.values(extra),
    business_name,
    /^\d/.test(address ?? '') ? undefined : address,
    owner_name,
    owner_title,
  ].filter((text) => text !== undefined);

/** Who told a value, and who told it as the name of a business: others may have the same. */
type Tellers = { value?: string; name?: string };
type Told = ReadonlyMap<string, Tellers>;

/** Looks up which values of someone's file they have from Google or from open data. Returns the sources of each row. */
export async function readSources(tx: Tx, userId: string, rows: readonly FileRow[]): Promise<SourcesOf> {
  const { rows: some } = await sql`select from app.told_values where user_id = ${userId} limit 1`.execute(tx);
  if (some.length === 0) return () => () => FILE;
  const releases = await readReleases(tx);
  const told = await readTold(tx, userId, rows, releases);
  const tellerBeside = await readToldBeside(
    tx,
    userId,
    rows.flatMap((row) => pairsIn(row, told)),
    (one, other) => rank(one, releases) < rank(other, releases),
  );
  return (row) => {
    const addresses = new Map<string, string>();
    for (const pair of pairsIn(row, told)) {
      const origin = tellerBeside(pair);
      if (origin !== undefined) addresses.set(pair[1], origin);
    }
    const tellerOf = createTellerOf(row, { told, addresses, releases });
    return (value) => {
      const origin = tellerOf(value);
      return origin === undefined ? FILE : `${FROM_FILE}${origin}`;
    };
  };
}

/** Who told each of the values of these rows, or something within it. */
async function readTold(tx: Tx, userId: string, rows: readonly FileRow[], releases: Releases): Promise<Told> {
  const told = new Map<string, Tellers>();
  const within = new Map<string, readonly string[]>();
  for (const text of rows.flatMap(freeTextsOf)) if (!within.has(text)) within.set(text, contactsIn(text));
  const asked = [...new Set([...rows.flatMap(textsOf), ...[...within.values()].flat()])].filter(
    (value) => value !== '' && value.length <= LONGEST,
  );
  for (let from = 0; from < asked.length; from += AT_ONCE)
    for (const { value, origin, by_name } of await lookUp(tx, userId, asked.slice(from, from + AT_ONCE))) {
      const tellers = told.get(value) ?? {};
      const how = by_name ? 'name' : 'value';
      const before = tellers[how];
      if (before === undefined || rank(origin, releases) < rank(before, releases)) tellers[how] = origin;
      told.set(value, tellers);
    }
  for (const [text, contacts] of within) {
    const value = strictest(
      contacts.flatMap((contact) => told.get(contact)?.value ?? []),
      releases,
    );
    const tellers = told.get(text);
    if (value !== undefined && tellers?.value === undefined) told.set(text, { ...tellers, value });
  }
  return told;
}

const namesIn = (row: FileRow, told: Told): string[] =>
  textsOf(row).filter((text) => told.get(text)?.name !== undefined);

/** Cells of a row that may be the address of a business that it names. Under a name of their own, only what is read as the address. */
function pairsIn(row: FileRow, told: Told): Pair[] {
  const others = textsOf(row).filter((text) => told.get(text)?.value === undefined);
  const names = namesIn(row, told);
  const { business_name = '', address = '' } = row.values;
  const own: Pair[] = names.includes(business_name) || !others.includes(address) ? [] : [[business_name, address]];
  return [...own, ...names.flatMap((name) => others.map((value): Pair => [name, value]))];
}

type Known = { told: Told; addresses: ReadonlyMap<string, string>; releases: Releases };

/** Says who told a value of a row. `addresses`: those that are known by the name beside them. */
function createTellerOf(row: FileRow, { told, addresses, releases }: Known): (value: string) => string | undefined {
  if (addresses.size === 0 && !isToldBusiness(row, told)) return (value) => told.get(value)?.value;
  // "76" is the name of gas stations, and most numbers are none.
  const nameTellerOf = (value: string) =>
    value === row.values.business_name || /\D/.test(value) ? told.get(value)?.name : undefined;
  const phrases = new Map(addresses);
  for (const text of namesIn(row, told)) {
    const origin = nameTellerOf(text);
    if (origin !== undefined) phrases.set(text, origin);
  }
  const tellersWithin = [...phrases].flatMap(([text, origin]) => {
    const words = wordsOf(text);
    return words.replaceAll(' ', '').length < SHORTEST_NAME ? [] : [{ words, origin }];
  });
  const free = new Set(freeTextsOf(row));
  function tellerWithin(value: string): string | undefined {
    if (tellersWithin.length === 0 || !free.has(value)) return undefined;
    const words = wordsOf(value);
    return strictest(
      tellersWithin.flatMap((one) => (words.includes(one.words) ? [one.origin] : [])),
      releases,
    );
  }
  return (value) => told.get(value)?.value ?? addresses.get(value) ?? nameTellerOf(value) ?? tellerWithin(value);
}

/** Whether a row is a business that was told, and not another one of its name: more of it was told, or the row has no more than a town. */
function isToldBusiness(row: FileRow, told: Told): boolean {
  if (textsOf(row).some((text) => told.get(text)?.value !== undefined)) return true;
  const { business_name, phone, address, website } = row.values;
  return !phone && !website && !isAtHouse(address ?? '') && told.get(business_name ?? '')?.name !== undefined;
}

/** Whether an address names more than a town: a house number before words, which is no ZIP code, or with a street. */
const isAtHouse = (address: string): boolean =>
  /^\d{1,4}[a-z]?(?:-\d+)?\s+\p{L}/iu.test(address) ||
  (streetsIn(address).length > 0 && !/^\d{5}(?:-\d{4})?\s+st\b/i.test(address));

/** Of several origins the one whose values may be kept least. */
const strictest = (origins: readonly string[], releases: Releases): string | undefined =>
  origins.toSorted((one, other) => rank(other, releases) - rank(one, releases))[0];

/** What open data says may be kept, also where Google says the same. */
function rank(origin: string, releases: Releases): number {
  const release = releases.get(origin);
  if (!release || release.restricted) return 2;
  return release.apart ? 1 : 0;
}

type ToldOrigin = { value: string; origin: string; by_name: boolean };

async function lookUp(tx: Tx, userId: string, values: readonly string[]): Promise<ToldOrigin[]> {
  const { rows } = await sql<ToldOrigin>`
    select value, origin, by_name from app.told_origins(${userId}::uuid, ${values}::text[])
  `.execute(tx);
  return rows;
}

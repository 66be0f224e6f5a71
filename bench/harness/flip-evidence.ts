import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** A bit of an entry that was flipped in the database. `named`: the first entry that does not fit then. */
export type Flip = { column: string; position: number; named: number };

/** Tables of an entry, by the column that names it there: its position and its ticket are the same. */
const TABLES = { evidence: 'position', evidence_parts: 'ticket', evidence_subjects: 'ticket' } as const;

type Column = {
  table: keyof typeof TABLES;
  column: string;
  bits: number;
  flipped: (bit: number) => RawBuilder<unknown>;
};

const ofBytes = (column: string) => (bit: number) =>
  sql`set_bit(${sql.ref(column)}, ${bit}, 1 - get_bit(${sql.ref(column)}, ${bit}))`;
const ofNumber = (column: string) => (bit: number) => sql`${sql.ref(column)} # (1::bigint << ${bit}::integer)`;
/** Of a text, the lowest bit of a byte: of others, most are no text. */
const ofText = (column: string, type: string) => (bit: number) => {
  const bytes = sql`convert_to(${sql.ref(column)}::text, 'UTF8')`;
  const at = sql`(8 * (${bit}::integer % octet_length(${bytes})))::bigint`;
  return sql`convert_from(set_bit(${bytes}, ${at}, 1 - get_bit(${bytes}, ${at})), 'UTF8')::${sql.raw(type)}`;
};
const ofUuid = (column: string) => (bit: number) => {
  const bytes = sql`uuid_send(${sql.ref(column)})`;
  return sql`encode(set_bit(${bytes}, ${bit}, 1 - get_bit(${bytes}, ${bit})), 'hex')::uuid`;
};
const ofTime = (column: string) => (bit: number) =>
  sql`timestamptz 'epoch' + ((extract(epoch from ${sql.ref(column)}) * 1000000)::bigint # (1::bigint << ${bit}::integer)) * interval '1 microsecond'`;

/** All that stands in an entry, in its parts, and beside them. */
const COLUMNS: readonly Column[] = [
  { table: 'evidence', column: 'position', bits: 62, flipped: ofNumber('position') },
  { table: 'evidence', column: 'ticket', bits: 62, flipped: ofNumber('ticket') },
  { table: 'evidence', column: 'at', bits: 50, flipped: ofTime('at') },
  { table: 'evidence', column: 'kind', bits: 1_000, flipped: ofText('kind', 'text') },
  { table: 'evidence', column: 'actor_id', bits: 128, flipped: ofUuid('actor_id') },
  { table: 'evidence', column: 'list_id', bits: 128, flipped: ofUuid('list_id') },
  { table: 'evidence', column: 'facts', bits: 1_000, flipped: ofText('facts', 'json') },
  { table: 'evidence', column: 'parts_hash', bits: 256, flipped: ofBytes('parts_hash') },
  { table: 'evidence', column: 'previous_hash', bits: 256, flipped: ofBytes('previous_hash') },
  { table: 'evidence', column: 'hash', bits: 256, flipped: ofBytes('hash') },
  { table: 'evidence_parts', column: 'hash', bits: 256, flipped: ofBytes('hash') },
  { table: 'evidence_parts', column: 'sealed', bits: 1_000, flipped: ofText('sealed', 'text') },
  { table: 'evidence_subjects', column: 'subject', bits: 256, flipped: ofBytes('subject') },
];
const TRIES = 200;

/**
 * Flips a random bit in each kind of field, each at a random place of its own stretch of the chain, past all triggers.
 * For a chain whose tickets are its positions. `mend` puts one back as it was.
 */
export async function plantFlips(db: Db, entries: number, rounds: number) {
  for (const table of Object.keys(TABLES))
    await sql`create table ${sql.table(`app.${table}_before`)} as select * from ${sql.table(`app.${table}`)} limit 0`.execute(
      db,
    );
  const order = Array.from({ length: rounds }, () => COLUMNS.toSorted(() => Math.random() - 0.5)).flat();
  const stretch = Math.floor(entries / order.length);
  const flips: Flip[] = [];
  for (const [at, column] of order.entries()) {
    const position = at * stretch + 2 + Math.floor(Math.random() * (stretch - 4));
    await keep(db, position);
    await plant(db, column, position);
    // A position that is flipped leaves a gap, which the one behind it shows.
    const named = position + (column.column === 'position' ? 1 : 0);
    flips.push({ column: `${column.table}.${column.column}`, position, named });
  }
  return { flips, mend: ({ position }: Flip) => mend(db, position) };
}

/** As the owner, past the triggers. */
const pastTriggers = (db: Db, work: (tx: Tx) => Promise<unknown>) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await work(tx);
  });

async function keep(db: Db, position: number): Promise<void> {
  for (const [table, key] of Object.entries(TABLES))
    await sql`insert into ${sql.table(`app.${table}_before`)} select * from ${sql.table(`app.${table}`)}
      where ${sql.ref(key)} = ${position}`.execute(db);
}

async function plant(db: Db, { table, column, bits, flipped }: Column, position: number): Promise<void> {
  const key = sql.ref(TABLES[table]);
  for (let left = TRIES; left > 0; left -= 1)
    try {
      const value = flipped(Math.floor(Math.random() * bits));
      await pastTriggers(db, (tx) =>
        sql`update ${sql.table(`app.${table}`)} set ${sql.ref(column)} = ${value} where ${key} = ${position}`.execute(
          tx,
        ),
      );
      return;
    } catch (error) {
      // What PostgreSQL does not take as this type, or finds twice, could not be read back either.
      if (left === 1) throw error;
    }
}

const mend = (db: Db, position: number) =>
  pastTriggers(db, async (tx) => {
    // Whichever of both was flipped: the other is as it was.
    await sql`delete from app.evidence where position = ${position} or ticket = ${position}`.execute(tx);
    for (const table of ['evidence_parts', 'evidence_subjects'])
      await sql`delete from ${sql.table(`app.${table}`)} where ticket = ${position}`.execute(tx);
    for (const [table, key] of Object.entries(TABLES))
      await sql`insert into ${sql.table(`app.${table}`)} select * from ${sql.table(`app.${table}_before`)}
        where ${sql.ref(key)} = ${position}`.execute(tx);
  });

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Vault } from '#db/sealed/vault.ts';
import { sealPart } from '#server/evidence/append-evidence.ts';
import { contentHashOf, hashOf, partsHashOf, skipOf } from '#server/evidence/verifier/verify.mjs';

/** Numbers that the entries are about, in turn. */
const NUMBERS = 100_000;
const PEOPLE = 20;
/** Entries of one list that stand together. Each tenth entry belongs to an earlier list. */
const OF_A_LIST = 5_000;
const YEARS_MS = 4 * 365 * 86_400_000;
/** The last entry was written a day ago. */
const UNTIL_MS = 86_400_000;
/** Entries of one piece of the stream. */
const AT_ONCE = 1_000;

export type Chain = {
  /** Those of the lists, the first one's first. */
  lists: readonly string[];
  people: readonly string[];
  /** When an entry was written, in ms since 1970. */
  timeOf(position: number): number;
};

/** The number that an entry is about. */
export const numberAt = (position: number): string => `+1${2_002_000_000 + ((position * 7_919) % NUMBERS)}`;

/**
 * Fills an empty chain with entries as the database would link them, by the hashes of the verifier: a check, a verdict, a call.
 * As its superuser, past triggers, and with the indexes made at the end. Numbers are sealed once each, and stand in several entries.
 */
export async function fillChain(databaseUrl: string, vault: Vault, entries: number): Promise<Chain> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await fill(client, vault, entries);
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, vault: Vault, entries: number): Promise<Chain> {
  const started = Date.now() - UNTIL_MS - YEARS_MS;
  const timeOf = (position: number) => started + Math.floor((position / entries) * YEARS_MS);
  const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());
  const chain: Chain = { lists: uuids(Math.ceil(entries / OF_A_LIST)), people: uuids(PEOPLE), timeOf };
  const parts = Array.from({ length: Math.min(NUMBERS, entries) }, (_, at) => {
    const number = numberAt(at + 1);
    return sealPart(vault, { subjects: [`phone:${number}`], content: { phone: number } });
  });
  await client.query('set session_replication_role = replica');
  await client.query('create temporary table pool (at integer primary key, hash bytea, sealed text, subject bytea)');
  const pool = parts.map((part, at) => `${at}\t\\\\x${part.hash}\t${part.sealed}\t\\\\x${part.subjects[0]}\n`);
  await pipeline(Readable.from(pool), client.query(copyFrom('copy pool from stdin')));
  const indexes = await dropIndexes(client);
  const stream = client.query(
    copyFrom(
      `copy app.evidence (position, ticket, at, kind, actor_id, list_id, facts, parts_hash, previous_hash, hash) from stdin`,
    ),
  );
  await pipeline(Readable.from(linesOf(chain, entries, parts)), stream);
  await client.query(
    `insert into app.evidence_parts (ticket, part, hash, sealed)
    select n, 1, hash, sealed from generate_series(1, ${entries}) as n join pool on at = (n - 1) % ${parts.length}`,
  );
  await client.query(
    `insert into app.evidence_subjects (subject, ticket, part)
    select subject, n, 1 from generate_series(1, ${entries}) as n join pool on at = (n - 1) % ${parts.length}`,
  );
  for (const index of indexes) await client.query(index);
  await client.query(`select setval('app.evidence_tickets', ${entries})`);
  await client.query('vacuum analyze app.evidence, app.evidence_parts, app.evidence_subjects');
  return chain;
}

/** Returns what makes them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select index.indexrelid::regclass::text as name, pg_get_indexdef(index.indexrelid) as made from pg_index as index
    where index.indrelid in ('app.evidence'::regclass, 'app.evidence_subjects'::regclass)
      and not exists (select from pg_constraint where conindid = index.indexrelid)`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ made }) => made);
}

function* linesOf(chain: Chain, entries: number, parts: readonly { hash: string }[]): Generator<string> {
  const nothing = '0'.repeat(64);
  /** The hash of the last position with each lowest bit: only these can still be named. */
  const byBit = new Map<number, string>();
  const partsHashes = parts.map(({ hash }) => partsHashOf([{ hash, state: 'open', text: null }]));
  let previous = nothing;
  let text = '';
  for (let position = 1; position <= entries; position += 1) {
    const at = `${new Date(chain.timeOf(position)).toISOString().slice(0, -1)}000Z`;
    const { kind, facts } = factsAt(position, at);
    const actor = chain.people[position % PEOPLE] ?? null;
    const list = chain.lists[listAt(position)] ?? null;
    const { hash: part = '' } = parts[(position - 1) % parts.length] ?? {};
    const skipped = skipOf(position);
    const skip = skipped === 0 ? nothing : (byBit.get(skipped - skipOf(skipped)) ?? '');
    const content = contentHashOf({
      ticket: position,
      at,
      kind,
      actor,
      list,
      facts,
      parts: [{ hash: part, state: 'open', text: null }],
    });
    const hash = hashOf({ position, previous, skip, content });
    const partsHash = partsHashes[(position - 1) % parts.length];
    text += `${position}\t${position}\t${at}\t${kind}\t${actor}\t${list}\t${JSON.stringify(facts)}\t\\\\x${partsHash}\t\\\\x${previous}\t\\\\x${hash}\n`;
    byBit.set(position - skipped, hash);
    previous = hash;
    if (position % AT_ONCE === 0 || position === entries) {
      yield text;
      text = '';
    }
  }
}

const listAt = (position: number): number => {
  const own = Math.floor((position - 1) / OF_A_LIST);
  return position % 10 === 0 ? (position * 104_729) % (own + 1) : own;
};

/** As the server writes them. */
function factsAt(position: number, at: string): { kind: string; facts: Record<string, unknown> } {
  const id = `${position.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const checked = { verdict: position % 5 === 0 ? 'dnc' : 'safe', lists: null, answeredAt: at, expiresAt: at };
  switch (position % 5) {
    case 0:
      return {
        kind: 'verdict.given',
        facts: {
          verdict: 'callable',
          at,
          opensAt: null,
          zones: ['America/Chicago'],
          reasons: [{ code: 'callable', citation: '815 ILCS 413/15' }],
          rulesAsOf: '2026-11-20',
          lead: id,
          sandbox: false,
        },
      };
    case 1:
      return {
        kind: 'call.logged',
        facts: {
          outcome: 'no_answer',
          calledAt: at,
          callBackAt: null,
          verdict: 'callable',
          rulesAsOf: '2026-11-20',
          lead: id,
          call: id,
          sandbox: false,
        },
      };
    default:
      return {
        kind: 'scrub.verdict',
        facts: { provider: 'searchbug', request: id, call: id, ...checked, costMicros: 20_000, sandbox: false },
      };
  }
}

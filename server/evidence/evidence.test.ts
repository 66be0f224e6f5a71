import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { backUp } from '#db/backup/back-up.ts';
import { restore } from '#db/backup/restore.ts';
import { connect } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { type Process, type Product, startProduct } from '#test/product.ts';
import { folderForFile } from '#test/runner/after-file.ts';
import { appendEvidence } from './append-evidence.ts';
import { eraseEvidence } from './erase-evidence.ts';
import type { EvidenceEntry } from './evidence-entry.ts';
import { evidenceVault, placeOfPart } from './evidence-vault.ts';
import { forgetEvidence } from './forget-evidence.ts';
import { readHead } from './read-head.ts';
import { verifyChain } from './verify-chain.ts';

let product: Product;
let second: Process;
let vault: Vault;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  second = await product.process({ worker: false });
  vault = await evidenceVault(product.deps.db, product.deps.vault);
});

const subjectOf = (at: number) => `phone:+1217555${String(100 + at).padStart(4, '0')}`;
const entryAbout = (at: number): EvidenceEntry => ({
  kind: 'suppression.added',
  actor: null,
  facts: { kind: 'phone', source: 'hand' },
  parts: [{ subjects: [subjectOf(at)], content: { suppressed: subjectOf(at) } }],
});
const append = (process: Process, ...entries: EvidenceEntry[]) =>
  process.deps.db.transaction().execute((tx) => appendEvidence(tx, vault, entries));
const check = () => verifyChain(product.db, vault);

test('two processes that append at once make one chain, without fork and gap', async () => {
  const before = (await readHead(product.db)).position;
  const given = Array.from({ length: 60 }, (_, at) => {
    const entry = { ...entryAbout(at), actor: randomUUID() };
    return append(at % 2 ? product : second, entry, entry);
  });

  await Promise.all(given);
  expect(await check()).toEqual({ ok: true, entries: before + 120 });
  const { rows } = await sql<{ actor: string; next: string }>`
    select actor_id as actor, lead(actor_id) over (order by position) as next from app.evidence where position > ${before}
    order by position`.execute(product.db);
  // The two of a transaction stand together.
  expect(rows.filter((_, at) => at % 2 === 0).every(({ actor, next }) => next === actor)).toBe(true);
  const waiting = await sql<{ count: number }>`select count(*)::int as count from app.evidence_waiting`.execute(
    product.db,
  );
  expect(waiting.rows).toEqual([{ count: 0 }]);
});

test('what is undone leaves no entry, and no gap', async () => {
  const { position } = await readHead(product.db);
  const undone = product.deps.db.transaction().execute(async (tx) => {
    await appendEvidence(tx, vault, [entryAbout(1)]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect((await readHead(product.db)).position).toBe(position);
  await append(product, entryAbout(2));
  expect((await readHead(product.db)).position).toBe(position + 1);
  expect(await check()).toMatchObject({ ok: true });
});

test('a check that begins at an entry misses none behind it', async () => {
  const { position } = await readHead(product.db);
  await append(product, entryAbout(5), entryAbout(6), entryAbout(7));
  const checkFrom = (from: number) => verifyChain(product.db, vault, { from });
  expect(await checkFrom(position + 2)).toEqual({ ok: true, entries: 2 });
  expect(await checkFrom(position + 4)).toMatchObject({ ok: false, position: position + 4 });
  const change = sql`update app.evidence set kind = 'suppression.lost' where position = ${position + 2}`;
  expect(await tampering(change, () => checkFrom(position + 1))).toMatchObject({ ok: false, position: position + 2 });
  const gone = sql`delete from app.evidence where position = ${position + 2}`;
  expect(await tampering(gone, () => checkFrom(position + 1))).toMatchObject({ ok: false, position: position + 3 });
  expect(await tampering(gone, () => checkFrom(position + 2))).toMatchObject({ ok: false, position: position + 3 });
});

test('a transaction holds the chain for its commit alone', async () => {
  await product.deps.db.transaction().execute(async (slow) => {
    await appendEvidence(slow, vault, [entryAbout(3)]);
    // Another one comes and goes while the first is still under way.
    await append(second, entryAbout(4));
  });
  expect(await check()).toMatchObject({ ok: true });
});

const FORBIDDEN = [
  sql`update app.evidence set facts = '{}'`,
  sql`delete from app.evidence`,
  sql`truncate app.evidence`,
  sql`insert into app.evidence (position, ticket, at, kind, facts, previous_hash, hash)
    values (1000000, 1000000, now(), 'call.logged', '{}', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'))`,
  sql`insert into app.evidence_waiting (ticket, kind, facts) values (1000000, 'call.logged', '{}')`,
  sql`update app.evidence_parts set sealed = 'x'`,
  sql`delete from app.evidence_parts`,
  sql`truncate app.evidence_parts`,
  sql`update app.evidence_subjects set part = 2`,
  sql`delete from app.evidence_subjects`,
  sql`update app.evidence_key set sealed_key = 'x'`,
  sql`delete from app.evidence_key`,
  sql`alter table app.evidence disable trigger user`,
];

test('no role of the server can change the evidence', async () => {
  for (const db of [product.deps.db, product.workerDeps.db])
    for (const statement of FORBIDDEN)
      await expect(statement.execute(db)).rejects.toThrow(/permission denied|must be owner/);
  for (const role of ['service_role', 'fairlead_worker', 'fairlead_web'])
    await expect(
      product.db.transaction().execute(async (tx) => {
        await sql`set local role ${sql.ref(role)}`.execute(tx);
        await sql`update app.evidence set kind = 'call.logged'`.execute(tx);
      }),
    ).rejects.toThrow('permission denied');
  expect(await check()).toMatchObject({ ok: true });
});

test('the owner of the tables is refused as well, unless they take the triggers away', async () => {
  for (const statement of [
    sql`update app.evidence set kind = 'call.logged'`,
    sql`delete from app.evidence`,
    sql`truncate app.evidence`,
    sql`update app.evidence_parts set sealed = 'x'`,
    sql`delete from app.evidence_parts`,
    sql`update app.evidence_parts set erased_by = 1`,
    sql`delete from app.evidence_subjects`,
    sql`update app.evidence_subjects set part = 2`,
    sql`truncate app.evidence_subjects`,
  ])
    await expect(statement.execute(product.db)).rejects.toThrow('append-only');
});

const TABLES = ['evidence', 'evidence_parts', 'evidence_subjects'];

/** As the owner who takes the triggers away, and back again afterwards. */
async function tampering<T>(change: ReturnType<typeof sql>, work: () => Promise<T>): Promise<T> {
  const undo = new Error('undo');
  let result: { value: T } | undefined;
  const owner = connect(product.url);
  try {
    for (const table of TABLES) {
      await sql`create table ${sql.table(`app.${table}_copy`)} as table ${sql.table(`app.${table}`)}`.execute(owner.db);
      await sql`alter table ${sql.table(`app.${table}`)} disable trigger user`.execute(owner.db);
    }
    await change.execute(owner.db);
    result = { value: await work() };
  } finally {
    for (const table of TABLES) {
      await sql`alter table ${sql.table(`app.${table}`)} disable trigger user`.execute(owner.db);
      await sql`truncate ${sql.table(`app.${table}`)}`.execute(owner.db);
      await sql`insert into ${sql.table(`app.${table}`)} table ${sql.table(`app.${table}_copy`)}`.execute(owner.db);
      await sql`alter table ${sql.table(`app.${table}`)} enable trigger user`.execute(owner.db);
      await sql`drop table ${sql.table(`app.${table}_copy`)}`.execute(owner.db);
    }
    await owner.db.destroy();
  }
  if (!result) throw undo;
  return result.value;
}

const flipped = (column: string) => sql.raw(`set_byte(${column}, 7, get_byte(${column}, 7) # 1)`);
const where = sql`where position = 20`;
/** Of its parts, and of those whom they are about. */
const part = sql`where ticket = (select ticket from app.evidence where position = 20)`;

test.each<[string, ReturnType<typeof sql>]>([
  ['ticket', sql`update app.evidence set ticket = 900000 ${where}`],
  ['a high bit of the ticket', sql`update app.evidence set ticket = ticket # (1::bigint << 61) ${where}`],
  ['at', sql`update app.evidence set at = at + interval '1 microsecond' ${where}`],
  ['kind', sql`update app.evidence set kind = 'suppression.lost' ${where}`],
  ['actor_id', sql`update app.evidence set actor_id = gen_random_uuid() ${where}`],
  ['list_id', sql`update app.evidence set list_id = gen_random_uuid() ${where}`],
  ['facts', sql`update app.evidence set facts = replace(facts::text, 'hand', 'head')::json ${where}`],
  ['the spaces of facts', sql`update app.evidence set facts = replace(facts::text, ':', ': ')::json ${where}`],
  ['parts_hash', sql`update app.evidence set parts_hash = ${flipped('parts_hash')} ${where}`],
  ['the hash of a part', sql`update app.evidence_parts set hash = ${flipped('hash')} ${part}`],
  ['previous_hash', sql`update app.evidence set previous_hash = ${flipped('previous_hash')} ${where}`],
  ['hash', sql`update app.evidence set hash = ${flipped('hash')} ${where}`],
  [
    'sealed',
    sql`update app.evidence_parts set sealed = overlay(sealed placing case when substr(sealed, 40, 1) = 'A' then 'B' else 'A' end from 40) ${part}`,
  ],
])('a change of %s is found, and its entry is named', async (_column, change) => {
  expect(await check()).toMatchObject({ ok: true });
  expect(await tampering(change, check)).toMatchObject({ ok: false, position: 20 });
});

test('an entry that was taken out, moved, or rewritten with its own hash is found', async () => {
  const out = sql`delete from app.evidence ${where}`;
  expect(await tampering(out, check)).toMatchObject({ ok: false, position: 21 });
  const away = sql`update app.evidence set position = position # (1::bigint << 61) ${where}`;
  expect(await tampering(away, check)).toMatchObject({ ok: false, position: 21 });
  const rewritten = sql`
    update app.evidence as entry set kind = 'call.logged', hash = app.evidence_hash(position, previous_hash,
      (select hash from app.evidence where position = 16), app.evidence_content_hash(ticket, at, 'call.logged', actor_id, list_id,
      facts, parts_hash)) ${where}`;
  expect(await tampering(rewritten, check)).toMatchObject({ ok: false, position: 21 });
  const cut = sql`delete from app.evidence where position = (select max(position) from app.evidence)`;
  const head = await readHead(product.db);
  // What is cut off at the end is known by the parts that it left, or by the hash that someone has elsewhere.
  const behind = { ok: false, position: head.position };
  expect(await tampering(cut, check)).toMatchObject(behind);
  const wholly = sql`
    with cut as (delete from app.evidence where position = ${head.position} returning ticket),
    parts as (delete from app.evidence_parts where ticket in (select ticket from cut))
    delete from app.evidence_subjects where ticket in (select ticket from cut)`;
  const checkHead = () => verifyChain(product.db, vault, { wanted: head.hash });
  expect(await tampering(wholly, check)).toMatchObject({ ok: true });
  expect(await tampering(wholly, checkHead)).toMatchObject({ ...behind, why: expect.stringContaining(head.hash) });
  expect(await checkHead()).toMatchObject({ ok: true });
});

test('entries that changed places, and sealed parts that did, are found at the first of them', async () => {
  const swapped = sql`
    with pair as (select * from app.evidence where position in (20, 22))
    update app.evidence as entry set ticket = -other.ticket, at = other.at, actor_id = other.actor_id, parts_hash = other.parts_hash
    from pair as other where entry.position in (20, 22) and other.position = 42 - entry.position`;
  expect(await tampering(swapped, check)).toMatchObject({ ok: false, position: 20 });
  const ticket = (position: number) => sql`(select ticket from app.evidence where position = ${position})`;
  const exchanged = (what: string) => sql`
    update app.evidence_parts as part set ${sql.raw(what)} from app.evidence_parts as other
    where part.ticket in (${ticket(20)}, ${ticket(22)}) and other.ticket in (${ticket(20)}, ${ticket(22)}) and other.ticket <> part.ticket`;
  for (const what of ['sealed = other.sealed', 'hash = other.hash', 'sealed = other.sealed, hash = other.hash'])
    expect(await tampering(exchanged(what), check), what).toMatchObject({ ok: false, position: 20 });
});

test.each<[string, ReturnType<typeof sql>]>([
  ['taken away', sql`delete from app.evidence_subjects ${part}`],
  ['replaced by others', sql`update app.evidence_subjects set subject = ${flipped('subject')} ${part}`],
  [
    'joined by others',
    sql`insert into app.evidence_subjects (subject, ticket, part) select ${flipped('subject')}, ticket, part from app.evidence_subjects ${part}`,
  ],
])('those whom an entry is about cannot be %s unseen', async (_what, change) => {
  expect(await tampering(change, check)).toMatchObject({
    ok: false,
    position: 20,
    why: expect.stringContaining('about'),
  });
});

test('an entry from before subjects were under the proof keeps its hash, and is found by what it says', async () => {
  const number = '+13125550177';
  const seal = (content: object) => {
    const text = JSON.stringify({ salt: 'c2FsdA', ...content });
    const hash = createHash('sha256').update(text).digest('hex');
    return { hash, sealed: vault.seal(text, placeOfPart(hash)), subjects: [vault.fingerprint(`phone:${number}`)] };
  };
  const old = [
    { phone: number },
    { suppressed: `phone:${number}`, note: 'stop' },
    { removed: `phone:${number}`, reason: 'no' },
  ];
  const entry = { kind: 'call.logged', actor: null, list: null, facts: '{}', parts: old.map(seal) };
  await sql`select app.append_evidence(${JSON.stringify([entry])}::jsonb)`.execute(product.deps.db);
  const { position } = await readHead(product.db);
  expect(await check()).toMatchObject({ ok: true });
  for (const place of [1, 2, 3]) {
    const change = sql`delete from app.evidence_subjects
      where part = ${place} and ticket = (select ticket from app.evidence where position = ${position})`;
    expect(await tampering(change, check)).toMatchObject({ ok: false, position });
  }
});

test('no part is destroyed without an entry that tells of it, also by a server that was taken over', async () => {
  const subject = 'phone:+13125550166';
  await append(product, { ...entryAbout(0), parts: [{ subjects: [subject], content: { subject } }] });
  const { position } = await readHead(product.db);
  // As a server that was taken over.
  await sql`select app.erase_evidence(array[decode(${vault.fingerprint(subject)}, 'hex')])`.execute(product.deps.db);
  const { rows } = await sql`select kind, facts from app.evidence where position > ${position}`.execute(product.db);
  expect(rows).toEqual([
    { kind: 'evidence.erased', facts: { parts: 1, hashes: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  ]);
  expect(await check()).toMatchObject({ ok: true });
  const gone = (by: ReturnType<typeof sql>) => sql`
    with parts as (update app.evidence_parts set sealed = null, erased_at = now(), erased_by = ${by} ${part})
    delete from app.evidence_subjects ${part}`;
  const named = { ok: false, position: 20, why: expect.stringContaining('no entry tells') };
  expect(await tampering(gone(sql`null`), check)).toMatchObject(named);
  expect(await tampering(gone(sql`(select ticket from app.evidence where position = 21)`), check)).toMatchObject(named);
  // Under the name of an erasure that there was.
  const erasing = sql`(select ticket from app.evidence where position = ${position + 1})`;
  expect(await tampering(gone(erasing), check)).toMatchObject({ ok: false, position: position + 1 });
  const left = sql`insert into app.evidence_subjects (subject, ticket, part)
    select decode(${vault.fingerprint(subject)}, 'hex'), ticket, part from app.evidence_parts where sealed is null limit 1`;
  expect(await tampering(left, check)).toMatchObject({ ok: false, why: expect.stringContaining('was not forgotten') });
});

test('an erasure destroys what names someone, and the chain still verifies', async () => {
  const subject = 'phone:+13125550188';
  const about = (subjects: string[]): EvidenceEntry => ({
    ...entryAbout(0),
    parts: [{ subjects, content: { subjects } }],
  });
  await append(product, about([subject]), about([subject, 'phone:+13125550189']), about(['phone:+13125550189']));
  const left = async () =>
    (
      await sql<{ left: boolean }>`
        select part.sealed is not null as left from app.evidence_parts as part join app.evidence as entry using (ticket)
        order by position desc limit 4`.execute(product.db)
    ).rows.map((row) => row.left);
  const erase = () =>
    product.deps.db.transaction().execute((tx) => eraseEvidence(tx, vault, { actor: null, subjects: [subject] }));
  expect(await erase()).toBe(2);
  expect((await left()).slice(0, 3)).toEqual([true, false, false]);
  expect(await erase()).toBe(0);
  const named =
    await sql`select from app.evidence_subjects where subject = decode(${vault.fingerprint(subject)}, 'hex')`.execute(
      product.db,
    );
  expect(named.rows).toEqual([]);
  expect(await check()).toMatchObject({ ok: true });
});

test('sealed parts go after five years, and not before', async () => {
  await append(product, entryAbout(90));
  await forgetEvidence(product.workerDeps.db, new AbortController().signal);
  const count = async () =>
    (
      await sql<{
        count: number;
      }>`select count(*)::int as count from app.evidence_parts where sealed is not null`.execute(product.db)
    ).rows[0]?.count;
  const before = await count();
  expect(before).toBeGreaterThan(0);
  const older = (years: string) => sql`
    update app.evidence set at = now() - ${years}::interval
    where position = (select max(position) from app.evidence)`;
  const forget = async () => {
    await sql`alter table app.evidence_parts enable trigger user`.execute(product.db);
    await forgetEvidence(product.workerDeps.db, new AbortController().signal);
    return count();
  };
  expect(await tampering(older('4 years 364 days'), forget)).toBe(before);
  expect(await tampering(older('5 years 1 day'), forget)).toBe((before ?? 0) - 1);
});

test('a backup carries the chain, and it goes on where it was', async () => {
  const folder = folderForFile();
  const file = join(folder, 'backup.gz');
  await backUp(product.url, file, folder);
  const url = await freshDatabase();
  await restore(url, file, { replace: true, folder });
  const restored = connect(url);
  try {
    const head = await readHead(product.db);
    expect(await readHead(restored.db)).toEqual(head);
    await restored.db.transaction().execute((tx) => appendEvidence(tx, vault, [entryAbout(91)]));
    expect(await verifyChain(restored.db, vault)).toEqual({ ok: true, entries: head.position + 1 });
    await expect(sql`delete from app.evidence`.execute(restored.db)).rejects.toThrow('append-only');
  } finally {
    await restored.db.destroy();
  }
});

import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#db/connection/client.ts';
import { applyMigrations } from '#db/migrations/apply-migrations.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { backendMigrations, productMigrations } from '#db/migrations/our-migrations.ts';
import { createVault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { evidenceVault, placeOfPart } from './evidence-vault.ts';
import { verifyChain } from './verify-chain.ts';

/** The first migration that puts subjects and erasures under the proof. */
const UNDER_PROOF = '20261126120400';

test('a chain with erasures from before keeps its hashes, gets one entry for all of them, and verifies', async () => {
  const url = await freshDatabase('empty');
  const owner = new pg.Client(url);
  await owner.connect();
  const { db } = connect(url);
  onTestFinished(() => Promise.all([owner.end(), db.destroy()]).then(() => undefined));
  await applyMigrations(owner, 'backend_migrations', backendMigrations());
  const upgrade = (isMeant: (version: string) => boolean) =>
    applyMigrations(
      owner,
      'supabase_migrations',
      productMigrations().filter(({ version }) => isMeant(version)),
    );
  await upgrade((version) => version < UNDER_PROOF);
  const vault = await evidenceVault(db, createVault([randomBytes(32).toString('base64')]));
  const print = (number: string) => Buffer.from(vault.fingerprint(`phone:${number}`), 'hex');
  /** As the version before did. */
  const append = async (number: string) => {
    const text = JSON.stringify({ salt: randomBytes(16).toString('base64url'), phone: number });
    const hash = createHash('sha256').update(text).digest('hex');
    const parts = [{ hash, sealed: vault.seal(text, placeOfPart(hash)), subjects: [print(number).toString('hex')] }];
    const entry = { kind: 'call.logged', actor: null, list: null, facts: '{}', parts };
    await sql`select app.append_evidence(${JSON.stringify([entry])}::jsonb)`.execute(db);
  };
  const erase = async (number: string) => {
    await sql`select app.erase_evidence(${[print(number)]}::bytea[])`.execute(db);
    const entry = { kind: 'evidence.erased', actor: null, list: null, facts: '{"parts":1}', parts: [] };
    await sql`select app.append_evidence(${JSON.stringify([entry])}::jsonb)`.execute(db);
  };
  for (const number of ['+12175550100', '+12175550101', '+12175550102', '+12175550103']) await append(number);
  await erase('+12175550101');
  await erase('+12175550102');
  const hashes = async () =>
    (await sql<{ hash: string }>`select encode(hash, 'hex') as hash from app.evidence order by position`.execute(db))
      .rows;
  const before = await hashes();
  await upgrade((version) => version <= UNDER_PROOF);
  // It goes on between the files, and the database tells of this one already.
  await erase('+12175550100');
  await migrate(url, { hosted: false });
  expect((await hashes()).slice(0, before.length)).toEqual(before);
  const { rows } =
    await sql`select kind, facts from app.evidence where position > ${before.length} order by position`.execute(db);
  const told = (parts: number) => ({ kind: 'evidence.erased', facts: { parts, hashes: expect.any(String) } });
  expect(rows).toEqual([told(1), { kind: 'evidence.erased', facts: { parts: 1 } }, told(2)]);
  expect(await verifyChain(db, vault)).toEqual({ ok: true, entries: before.length + 3 });
  // A server of the version before goes on for a while.
  await append('+12175550104');
  await erase('+12175550103');
  expect(await verifyChain(db, vault)).toEqual({ ok: true, entries: before.length + 6 });
});

test('without an erasure before, the upgrade adds no entry', async () => {
  const { db } = connect(await freshDatabase());
  onTestFinished(() => db.destroy());
  const { rows } = await sql`select from app.evidence`.execute(db);
  expect(rows).toEqual([]);
});

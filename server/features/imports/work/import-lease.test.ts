import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startImportEndpoint } from '#contract/imports/imports.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { uploadFile } from '#test/imports.ts';
import { startProduct } from '#test/product.ts';
import { executeNextImport } from './execute-import.ts';
import { claimImport } from './import-lease.ts';

test('processes that look at once claim one import of a person, so that the next one finds its leads', async () => {
  const product = await startProduct({ worker: false });
  const user = await product.user();
  const begun = { duplicates: 'skip', mapping: {}, listName: 'Mine' } as const;
  for (const file of ['Company\nOne\n', 'Company\nTwo\n']) {
    const { importId } = await uploadFile(product, user, file);
    await user.call(startImportEndpoint, begun, { id: importId });
  }
  for (let round = 0; round < 20; round += 1) {
    const claims = await Promise.all(Array.from({ length: 4 }, () => claimImport(product.db, randomUUID())));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    // All processes died.
    await sql`update app.imports set lease_expires_at = now() - interval '1 second' where state = 'running'`.execute(
      product.db,
    );
  }
});

test.each([
  ['what its rows are the same as', {}, sql`lock table app.import_rows in access exclusive mode`],
  ['keys', { Company: 'extra' as const }, sql`select app.await_writers('imports')`],
])('a process that has lost an import writes nothing of its plan (%s)', async (_, mapping, hold) => {
  const product = await startProduct({ worker: false });
  const { db, deps } = product;
  const user = await product.user();
  const file = 'Company,Phone\nOne,415-555-0181\nOne again,415-555-0181\n';
  const { importId: id } = await uploadFile(product, user, file);
  await user.call(startImportEndpoint, { duplicates: 'skip', mapping, listName: 'Mine' }, { id });
  const rowsOf = () =>
    db.selectFrom('app.import_rows').selectAll().where('import_id', '=', id).orderBy('row').execute();
  const before = await rowsOf();
  const late = await db.transaction().execute(async (tx) => {
    await hold.execute(tx);
    const slow = executeNextImport(deps, randomUUID(), new AbortController().signal);
    await vi.waitFor(async () => expect(await countLockWaits(db)).toBe(1), { timeout: 20_000 });
    await tx.updateTable('app.imports').set({ lease_owner: randomUUID() }).where('id', '=', id).execute();
    return { slow };
  });
  await late.slow;
  expect(await rowsOf()).toEqual(before);
  const record = await db.selectFrom('app.imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(record).toMatchObject({ state: 'running', planned: false, done: 0 });
});

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startImportEndpoint } from '#contract/imports/imports.ts';
import { uploadFile } from '#test/imports.ts';
import { startProduct } from '#test/product.ts';
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

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { joinLarge } from '#server/features/imports/stage/join-large.ts';
import { uploadFile } from '#test/imports.ts';
import { startProduct } from '#test/product.ts';
import { plansOf } from './plan-rows.ts';

test('a file of which there are no statistics yet is not compared row by row', async () => {
  const product = await startProduct({ worker: false });
  const user = await product.user();
  const fileOf = (kind: string) =>
    `Company,Phone\n${Array.from({ length: 500 }, (_, at) => `${kind} ${at},415-555-0${100 + at}`).join('\n')}\n`;
  await uploadFile(product, user, fileOf('Known'));
  await sql`analyze app.import_rows`.execute(product.db);
  const { importId: id } = await uploadFile(product, user, fileOf('Unknown'));
  await product.db.transaction().execute(async (tx) => {
    const explained = async () => {
      const lines: string[] = [];
      for (const plan of plansOf({ id, user_id: user.id })) {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${plan}`.execute(tx);
        lines.push(...rows.map((row) => row['QUERY PLAN']));
      }
      return lines.join('\n');
    };
    const comparesEach = /Join Filter: \(\(?staged/;
    expect(await explained()).toMatch(comparesEach);
    expect(await joinLarge(tx, explained)).not.toMatch(comparesEach);
  });
});

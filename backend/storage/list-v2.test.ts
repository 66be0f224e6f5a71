import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type Person, type Storage, startStorage } from './testing/harness.ts';

// Not in the order of their names; a capital comes before small letters.
const NAMES = ['b.txt', 'docs/2.txt', 'Z.txt', 'docs/1.txt', 'a_b.txt', 'docs/deep/x.txt', 'art/1.png'];

let storage: Storage;
let ann: Person;
beforeAll(async () => {
  storage = await startStorage(await freshDatabase());
  expect((await storage.service.createBucket('files')).error).toBeNull();
  await storage.pool.query(`
    create policy own_folder on storage.objects to authenticated using (owner = auth.uid()) with check (owner = auth.uid())`);
  ann = await storage.person('ann');
  for (const name of NAMES) expect((await ann.storage.from('files').upload(name, name)).error).toBeNull();
  const ben = await storage.person('ben');
  expect((await ben.storage.from('files').upload('docs/secret.txt', 'x')).error).toBeNull();
});
afterAll(() => storage.stop());

type Options = NonNullable<Parameters<ReturnType<Person['storage']['from']>['listV2']>[0]>;
const files = () => ann.storage.from('files');

/** Everything, in pages of two: the names of objects and folders, and how many pages there were. */
async function everything(options: Options) {
  const found = { objects: [] as string[], folders: [] as string[], pages: 0 };
  let cursor: string | undefined;
  do {
    const { data, error } = await files().listV2({ ...options, limit: 2, ...(cursor ? { cursor } : {}) });
    expect(error).toBeNull();
    found.objects.push(...(data?.objects ?? []).map(({ name }) => name));
    found.folders.push(...(data?.folders ?? []).map(({ name }) => name));
    found.pages += 1;
    expect(data?.hasNext).toBe(data?.nextCursor !== undefined);
    cursor = data?.nextCursor;
  } while (cursor);
  return found;
}

describe('listV2', () => {
  it('lists names flat, by name and by time, both ways', async () => {
    const byName = [...NAMES].sort();
    expect(await everything({})).toEqual({ objects: byName, folders: [], pages: 4 });
    const down = await everything({ sortBy: { column: 'name', order: 'desc' } });
    expect(down.objects).toEqual(byName.toReversed());
    expect((await everything({ sortBy: { column: 'created_at' } })).objects).toEqual(NAMES);
    await files().update('b.txt', 'again');
    const newest = await everything({ sortBy: { column: 'updated_at', order: 'desc' } });
    expect(newest.objects).toEqual(['b.txt', ...NAMES.slice(1).toReversed()]);
  });

  it('tells of folders with a delimiter, each once', async () => {
    const top = await everything({ with_delimiter: true });
    expect(top).toEqual({ objects: ['Z.txt', 'a_b.txt', 'b.txt'], folders: ['art/', 'docs/'], pages: 3 });
    const oldest = await everything({ with_delimiter: true, sortBy: { column: 'created_at' } });
    expect(oldest).toMatchObject({ objects: ['b.txt', 'Z.txt', 'a_b.txt'], folders: ['docs/', 'art/'] });
    const docs = await everything({ with_delimiter: true, prefix: 'docs/' });
    expect(docs).toMatchObject({ objects: ['docs/1.txt', 'docs/2.txt'], folders: ['docs/deep/'] });
    expect(await everything({ with_delimiter: true, prefix: 'do' })).toMatchObject({ objects: [], folders: ['docs/'] });
  });

  it('says what it knows of an object, and nothing of anyone else’s', async () => {
    const { data } = await files().listV2({ prefix: 'docs/1' });
    expect(data).toEqual({
      hasNext: false,
      folders: [],
      objects: [
        {
          name: 'docs/1.txt',
          id: expect.any(String),
          metadata: expect.objectContaining({ size: 10 }),
          created_at: expect.any(String),
          updated_at: expect.any(String),
          last_accessed_at: expect.any(String),
        },
      ],
    });
    expect(JSON.stringify((await files().listV2({})).data)).not.toContain('secret');
    expect((await storage.anon.from('files').listV2({})).data).toMatchObject({ objects: [], folders: [] });
    expect((await files().listV2({ prefix: '_' })).data?.objects).toEqual([]);
  });

  it('refuses cursors that it has not written, and what means nothing', async () => {
    const { data } = await files().listV2({ limit: 1 });
    const cursor = data?.nextCursor ?? '';
    const wrong: Options[] = [
      { cursor: 'made up' },
      { cursor: Buffer.from('{"name":1}').toString('base64url') },
      { cursor, sortBy: { column: 'created_at' } },
      { limit: 0 },
      { prefix: 'x'.repeat(2_000) },
    ];
    for (const options of wrong) {
      expect((await files().listV2(options)).error).toMatchObject({ code: 'InvalidRequest', statusCode: '400' });
    }
  });
});

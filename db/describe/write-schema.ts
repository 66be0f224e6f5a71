import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describeSchema } from './describe-schema.ts';

/**
 * Writes the files of `folder` that describe the database at `url`, or only compares them.
 *
 * - Returns the names of files that were not as they should be.
 * @throws Error those of `describeSchema`.
 */
export async function writeSchema(url: string, folder: string, { check }: { check: boolean }): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const files = await describeSchema(client);
    const stale = [...files].filter(([name, text]) => readIfThere(join(folder, name)) !== text).map(([name]) => name);
    const unknown = readdirSync(folder).filter((name) => name.endsWith('.sql') && !files.has(name));
    if (!check) for (const [name, text] of files) writeFileSync(join(folder, name), text);
    return [...stale, ...unknown];
  } finally {
    await client.end();
  }
}

const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

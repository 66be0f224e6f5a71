import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject } from 'vitest';

/** PostgreSQL's code for a database that someone is connected to. */
const OBJECT_IN_USE = '55006';

/** The databases that this worker made and did not drop yet, with the test file of each. */
const made = new Map<string, string | undefined>();

/** The address of a new database for the calling test file: migrated (a copy of the template), or empty. */
export async function freshDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<string> {
  const template = kind === 'migrated' ? 'template_fairlead' : 'template0';
  const { testPath } = expect.getState();
  if (inject('inMemory')) await dropThoseOfOthers(testPath);
  const name = `t_${randomBytes(6).toString('hex')}`;
  made.set(name, testPath);
  return createDatabase(inject('ownerUrl'), name, template);
}

/** Memory is scarce, so the databases of a worker's earlier files go. One that is still in use stays. */
async function dropThoseOfOthers(testPath: string | undefined): Promise<void> {
  const names = [...made].filter(([, file]) => file !== testPath).map(([name]) => name);
  if (names.length === 0) return;
  const owner = new pg.Client({ connectionString: inject('ownerUrl') });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ name: string }>(
      `select datname as name from pg_database where datname = any($1)
        and datname not in (select datname from pg_stat_activity where datname is not null)`,
      [names],
    );
    for (const { name } of rows)
      await owner.query(`drop database ${name}`).catch((error: unknown) => {
        if (!(error instanceof pg.DatabaseError) || error.code !== OBJECT_IN_USE) throw error;
      });
  } finally {
    await owner.end();
  }
  for (const name of names) made.delete(name);
}

/** The address of a new database, in the place of one of that name. `ownerUrl` is that of a login that may create databases. */
export async function createDatabase(ownerUrl: string, name: string, template = 'template0'): Promise<string> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(`drop database if exists ${name}`);
    // To copy files costs a third of writing a log of them.
    await owner.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await owner.end();
  }
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return url.href;
}

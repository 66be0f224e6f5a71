import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The address of a new database for the calling test file: migrated (a copy of the template), or empty. */
export async function freshDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<string> {
  const template = kind === 'migrated' ? 'template_fairlead' : 'template0';
  return createDatabase(inject('ownerUrl'), `t_${randomBytes(6).toString('hex')}`, template);
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

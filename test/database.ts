import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The address of a new database for the calling test file: migrated (a copy of the template), or empty. */
export async function freshDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<string> {
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  const name = `t_${randomBytes(6).toString('hex')}`;
  try {
    const template = kind === 'migrated' ? 'template_fairlead' : 'template0';
    // To copy files costs a third of writing a log of them.
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await admin.end();
  }
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

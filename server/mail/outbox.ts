import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptMail } from './mail.ts';

/** Older mails are removed. */
export const KEPT_MAILS = 500;

/**
 * Keeps a mail in `folder`: `message` as it would have been sent (.eml), and beside it what was put into it (.json).
 * Only the owner may read them: they hold sign-in links.
 */
export async function keepMail(folder: string, mail: KeptMail, message: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${mail.sentAt.replaceAll(/[:.]/gu, '-')}-${randomBytes(6).toString('hex')}`;
  await writeFile(join(folder, `${name}.eml`), message, { mode: 0o600 });
  // A mail is there once its .json is there, whole.
  await writeFile(join(folder, `${name}.new`), JSON.stringify(mail), { mode: 0o600 });
  await rename(join(folder, `${name}.new`), join(folder, `${name}.json`));
  await removeOld(folder);
}

/** The newest mails first, at most `limit`. None when there is no folder yet. */
export async function readMails(folder: string, limit = KEPT_MAILS): Promise<KeptMail[]> {
  const newest = (await namesIn(folder)).filter((name) => name.endsWith('.json')).slice(0, limit);
  const mails = await Promise.all(newest.map((name) => readMail(join(folder, name))));
  return mails.filter((mail) => mail !== undefined);
}

/** Undefined when it was removed, or damaged, meanwhile. */
async function readMail(file: string): Promise<KeptMail | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as KeptMail;
  } catch {
    return undefined;
  }
}

async function removeOld(folder: string): Promise<void> {
  const names = await namesIn(folder);
  const stems = [...new Set(names.map((name) => name.replace(/\.\w+$/u, '')))].slice(KEPT_MAILS);
  await Promise.all(
    stems.flatMap((stem) =>
      ['.eml', '.json', '.new'].map((ending) => rm(join(folder, stem + ending), { force: true })),
    ),
  );
}

/** Names begin with the time, so their order is the mails'. Files that are not ours are not touched. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => /^\d{4}-\d\d-\d\dT[\dZ-]+-[\da-f]{12}\.(?:eml|json|new)$/u.test(name))
    .sort()
    .reverse();
}

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The configured keys, else the one in `DATA_DIR/secrets.json`, which is made (mode 0600) if it is missing. Of two simultaneous starters
 * one wins and both get its key. Throws when the file is there but unreadable: a new key could not open what the old one sealed.
 */
export function encryptionKeys(configured: string[], dataDir: string): string[] {
  if (configured.length > 0) return configured;
  const file = join(dataDir, 'secrets.json');
  return read(file) ?? make(file, dataDir);
}

function make(file: string, dataDir: string): string[] {
  mkdirSync(dataDir, { recursive: true });
  const temporary = `${file}.${process.pid}`;
  const text = JSON.stringify({ encryptionKeys: [randomBytes(32).toString('base64')] }, null, 2);
  writeFileSync(temporary, `${text}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(temporary, file); // never replaces a file, as a rename would
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const keys = read(file);
  if (!keys) throw new Error(`${file} vanished while it was made.`);
  return keys;
}

function read(file: string): string[] | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const keys = keysIn(text);
  if (keys.length === 0)
    throw new Error(
      `${file} holds no encryption keys. Restore it from a backup: the stored provider keys can not be read without it.`,
    );
  return keys;
}

function keysIn(text: string): string[] {
  try {
    const { encryptionKeys: keys } = JSON.parse(text) as { encryptionKeys?: unknown };
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'secrets.json';

/**
 * Returns the configured keys, else the one in `DATA_DIR/secrets.json`, made (mode 0600) if it is missing.
 * When two processes start at the same time, one wins and both get its key.
 * @throws Error when the file is unreadable: a new key could not open what the old one sealed.
 */
export function encryptionKeys(configured: string[], dataDir: string): string[] {
  if (configured.length > 0) return configured;
  const file = join(dataDir, FILE);
  return read(file) ?? make(file, dataDir);
}

/** Longest time, in ms, until a running server uses what became of the file. */
export const KEYS_NOTICED_MS = 1_000;

/** The same keys for as long as a server runs: those of the file are read again now and then, because `rotate-keys` adds to them. */
export function followEncryptionKeys(configured: string[], dataDir: string): () => readonly string[] {
  let keys = encryptionKeys(configured, dataDir);
  if (configured.length > 0) return () => keys;
  let lookedAt = performance.now();
  return () => {
    if (performance.now() - lookedAt < KEYS_NOTICED_MS) return keys;
    lookedAt = performance.now();
    const found = readAgain(join(dataDir, FILE));
    if (found && found.join() !== keys.join()) keys = found;
    return keys;
  };
}

/** Puts keys in the place of those in the file, which must exist. */
export function writeEncryptionKeys(dataDir: string, keys: readonly string[]): void {
  const file = join(dataDir, FILE);
  const temporary = `${file}.${process.pid}`;
  const { uid, gid } = statSync(file);
  writeFileSync(temporary, textOf(keys), { mode: 0o600, flush: true });
  chownSync(temporary, uid, gid); // root may rotate the keys of a server that is not root
  renameSync(temporary, file);
}

/** What the server has already, when the file cannot be read just now. */
function readAgain(file: string): string[] | undefined {
  try {
    return read(file);
  } catch {
    return undefined;
  }
}

const textOf = (keys: readonly string[]) => `${JSON.stringify({ encryptionKeys: keys }, null, 2)}\n`;

export const newEncryptionKey = (): string => randomBytes(32).toString('base64');

function make(file: string, dataDir: string): string[] {
  mkdirSync(dataDir, { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, textOf([newEncryptionKey()]), { mode: 0o600, flush: true });
  try {
    linkSync(temporary, file); // never replaces a file, as a rename would
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const keys = read(file);
  if (!keys) throw new Error(`${file} disappeared while it was being created.`);
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
      `${file} holds no encryption keys. Restore it from a backup: the stored provider keys cannot be read without it.`,
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

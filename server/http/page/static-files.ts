import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { encoded, type StoredBody } from './stored-body.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable';
/** For icons and the like, whose names stay. */
const FOR_AN_HOUR = 'public, max-age=3600';

/** How the build names what it has compressed. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/**
 * Every file of the built page by its path, read once: what a request names is looked up, never opened.
 * Hashed files stand under /assets, the others beside index.html, which is not among them.
 */
export function readStaticFiles(folder: string): ReadonlyMap<string, StoredBody> {
  const files = new Map<string, StoredBody>();
  for (const [path, cacheControl] of [
    ['/assets/', FOR_GOOD],
    ['/', FOR_AN_HOUR],
  ] as const) {
    const names = filesIn(join(folder, path));
    for (const name of names) {
      if (name === 'index.html' || name.startsWith('.') || isCompressed(name, names)) continue;
      files.set(`${path}${name}`, readBody(join(folder, path, name), names, name, cacheControl));
    }
  }
  return files;
}

function filesIn(folder: string): Set<string> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return new Set();
  const entries = readdirSync(folder, { withFileTypes: true });
  return new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
}

const isCompressed = (name: string, names: ReadonlySet<string>): boolean =>
  Object.values(SUFFIXES).some((suffix) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)));

function readBody(file: string, names: ReadonlySet<string>, name: string, cacheControl: string): StoredBody {
  const read = (suffix: string) => encoded(readFileSync(file + suffix));
  return {
    type: getMimeType(name) ?? 'application/octet-stream',
    cacheControl,
    encoded: {
      identity: read(''),
      ...(names.has(name + SUFFIXES.br) ? { br: read(SUFFIXES.br) } : {}),
      ...(names.has(name + SUFFIXES.gzip) ? { gzip: read(SUFFIXES.gzip) } : {}),
    },
  };
}

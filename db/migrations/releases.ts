import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Migration } from './read-migrations.ts';

/** The migrations of each release: file to SHA-256, in hex. */
export type Releases = Record<string, Record<string, string>>;

export const RELEASES_FILE = fileURLToPath(new URL('releases.json', import.meta.url));

export const readReleases = (): Releases => JSON.parse(readFileSync(RELEASES_FILE, 'utf8')) as Releases;

export const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');

import { createHash } from 'node:crypto';

/** A UUID that is always the same for the same name, so that seeding again finds its own rows. */
export function seedId(name: string): string {
  const hex = createHash('sha256').update(`fairlead seed ${name}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

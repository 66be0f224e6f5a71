import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { loadPlaces } from '#server/open-data/load/load-places.ts';
import type { Order } from '#server/open-data/load/order.ts';
import { folderForFile } from '#test/runner/after-file.ts';

/** A place in a CSV file. */
export type CsvPlace = {
  id: string;
  name: string;
  category: string;
  latitude: number;
  longitude: number;
  phone?: string;
  website?: string;
  email?: string;
  street?: string;
  city?: string;
  state?: string;
  zip?: string;
  /** From 0 to 1. */
  confidence?: string;
};

/** Loads places from a CSV file, as an administrator would. */
export async function loadCsv(url: string, places: readonly CsvPlace[], order: Partial<Order> = {}): Promise<void> {
  const path = join(folderForFile(), 'places.csv');
  const columns = [
    'id',
    'name',
    'category',
    'latitude',
    'longitude',
    'phone',
    'website',
    'email',
    'street',
    'city',
    'state',
    'zip',
    'confidence',
  ] as const;
  const lines = places.map((place) => columns.map((column) => `"${place[column] ?? ''}"`).join(','));
  writeFileSync(path, `${columns.join(',')}\n${lines.join('\n')}\n`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await loadPlaces(client, {
      order: { files: [path], source: 'city', license: 'CC-BY-4.0', release: '2026-10-01', ...order },
    });
  } finally {
    await client.end();
  }
}

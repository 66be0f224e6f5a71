import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { resolveArea } from '#server/features/search/area/resolve-area.ts';
import { findOpen } from '#server/features/search/open/find-open.ts';
import { loadApart } from '#server/open-data/load/load-apart.ts';
import { writeParquet } from '#test/open-data/write-parquet.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { type Figure, report } from '../harness/report.ts';
import { percentile, timed } from '../harness/statistics.ts';

const IMPORTED = 300_000;
const SEARCHED = 1_000_000;
const ROUNDS = 60;
const PLANTED = { changed: 400, gone: 300, added: 300 };
const KINDS = ['dentist', 'plumber', 'florist', 'lawyer', 'bakery', 'gym', 'hotel', 'bank', 'pharmacy', 'school'];
const kindOf = (index: number): string => KINDS[index % KINDS.length] ?? 'dentist';

/** The same every time; spread over Illinois. */
const placeAt = (index: number) => ({
  id: `p${index}`,
  name: `Business ${index} ${kindOf(index)}`,
  category: kindOf(index),
  phone: `+1 217-555-0${100 + (index % 100)}`,
  website: `https://p${index}.example/`,
  region: 'IL',
  longitude: -91 + ((index * 7_919) % 100_003) / 33_334,
  latitude: 37.5 + ((index * 104_729) % 100_003) / 22_223,
});

const fairlead = await startFairlead();
const folder = mkdtempSync(join(tmpdir(), 'fairlead-open-bench-'));
try {
  report([...(await measureImport()), await measureSearch()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await fairlead.stop();
}

async function measureImport(): Promise<Figure[]> {
  const places = Array.from({ length: IMPORTED }, (_, index) => placeAt(index));
  const [first, second] = [join(folder, '2026-09-23.0.parquet'), join(folder, '2026-10-23.0.parquet')];
  await writeParquet(first, 'v2', places);
  const url = fairlead.databaseUrl;
  const begun = performance.now();
  const { mebibytes } = await loadApart({ url, order: { files: [first] } });
  const seconds = (performance.now() - begun) / 1_000;
  const kept = places
    .slice(PLANTED.gone)
    .map((place, index) => (index < PLANTED.changed ? { ...place, name: `${place.name} again` } : place));
  const added = Array.from({ length: PLANTED.added }, (_, index) => placeAt(IMPORTED + index));
  await writeParquet(second, 'v2', [...kept, ...added]);
  const found = await loadApart({ url, order: { files: [second] } });
  const wrong =
    Math.abs(found.changed - PLANTED.changed) +
    Math.abs(found.gone - PLANTED.gone) +
    Math.abs(found.added - PLANTED.added);
  return [
    { name: `import of ${IMPORTED} places`, value: seconds, unit: 's', limit: ['≤', 60] },
    { name: 'its memory', value: mebibytes, unit: 'MB', limit: ['≤', 300] },
    { name: 'differences of a second release that are wrong', value: wrong, unit: 'places', limit: ['≤', 0] },
  ];
}

async function measureSearch(): Promise<Figure> {
  const { db } = fairlead;
  await sql`
    insert into app.open_places (source, source_id, release_id, name, categories, latitude, longitude, closed, terms, added_by, changed_by)
    select 'filler', 'f' || n, (select min(id) from app.open_releases), 'Business ' || n, array[kind],
      37.5 + random() * 4.5, -91 + random() * 3, false, array['c:' || kind, 'w:business', 'w:' || n], 0, 0
    from generate_series(1, ${SEARCHED - IMPORTED}) as n,
      lateral (select (${KINDS}::text[])[1 + n % ${KINDS.length}] as kind) as chosen
  `.execute(db);
  await sql`vacuum analyze app.open_places`.execute(db);
  const { rows } = await sql<{ id: number }>`select id from app.open_releases`.execute(db);
  const kind = { sandbox: false, parts: [{ apart: false, releaseIds: rows.map(({ id }) => id) }] };
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const center = { latitude: 38 + (round % 8) / 2, longitude: -90.5 + (round % 5) / 2 };
    const area = resolveArea({ kind: 'circle', center, meters: 16_093 });
    times.push(await timed(() => findOpen(db, { queries: [kindOf(round)], area, kind })));
  }
  return {
    name: `type and radius of 10 miles among ${SEARCHED} places, p95`,
    value: percentile(times, 95),
    unit: 'ms',
    limit: ['≤', 100],
  };
}

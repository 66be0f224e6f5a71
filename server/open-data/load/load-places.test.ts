import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assuming } from '#db/roles/server-role.ts';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { rowsOf } from '#test/open-data/rows-of.ts';
import { writeParquet } from '#test/open-data/write-parquet.ts';
import { folderForFile } from '#test/runner/after-file.ts';
import { loadApart } from './load-apart.ts';
import { loadPlaces } from './load-places.ts';
import type { Order } from './order.ts';

let url: string;
let ownerUrl: string;
const folder = folderForFile();
let client: pg.Client;
beforeAll(async () => {
  ownerUrl = await freshDatabase();
  url = assuming(ownerUrl, 'web');
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(() => client.end());

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const load = (path: string, order: Partial<Order> = {}) => loadPlaces(client, { order: { files: [path], ...order } });
const places = (source: string, table = 'app.open_places') =>
  rowsOf(
    url,
    `select source_id, name, categories, phone, website, email, address, region, latitude, longitude, closed, closed_on::text, gone_on is not null as gone,
       license, release from ${table} as place join app.open_releases as release on release.id = release_id
     where place.source = $1 order by source_id`,
    [source],
  );

const DENTIST = { name: 'Bright Smiles', phone: '+1 217-555-0101', website: 'https://bright.example/', region: 'IL' };

test.each(['v1', 'v2'] as const)('reads Overture Places of schema %s', async (schema) => {
  const path = join(folder, `${schema}-2026-0${schema === 'v1' ? 7 : 9}-23.0.parquet`);
  await writeParquet(path, schema, [
    { id: 'a', ...DENTIST, category: 'dental_clinic', longitude: -89.65, latitude: 39.78 },
    { id: 'b', ...DENTIST, name: 'Closed Smiles', category: 'dentist', longitude: -89.6, latitude: 39.8, closed: true },
    { id: 'c', ...DENTIST, name: 'Far Away', category: 'dentist', longitude: -80, latitude: 39.8 },
  ]);
  const { staged, resumed } = await load(path, {
    bbox: { west: -90, south: 39, east: -89, north: 40 },
    missing: 'whole',
  });
  expect({ staged, resumed }).toEqual({ staged: 2, resumed: false });
  const [first, second] = await places('overture');
  expect(first).toMatchObject({
    source_id: 'a',
    name: 'Bright Smiles',
    categories: expect.arrayContaining(['dental_clinic']),
    phone: '+1 217-555-0101',
    website: 'https://bright.example/',
    address: '1 Main St, Springfield, IL 62701',
    region: 'IL',
    license: 'CDLA-Permissive-2.0',
    release: `2026-0${schema === 'v1' ? 7 : 9}-23.0`,
    closed: false,
  });
  expect(first?.longitude).toBeCloseTo(-89.65, 4);
  expect(second).toMatchObject({ source_id: 'b', closed: schema === 'v2' });
});

test('reads Foursquare OS Places', async () => {
  const path = join(folder, 'fsq.parquet');
  await writeParquet(path, 'foursquare', [
    {
      id: 'f',
      ...DENTIST,
      category: 'Health and Medicine > Dentist',
      longitude: -89.65,
      latitude: 39.78,
      closed: true,
    },
  ]);
  await load(path);
  expect(await places('foursquare')).toEqual([
    expect.objectContaining({
      source_id: 'f',
      license: 'Apache-2.0',
      release: '2026-06-01',
      closed: true,
      closed_on: '2026-05-01',
    }),
  ]);
});

const feature = (id: string | undefined, tags: object, coordinates = [-89.65, 39.78]) => ({
  type: 'Feature',
  ...(id ? { id } : {}),
  properties: tags,
  geometry: { type: 'Point', coordinates },
});

test('reads OpenStreetMap from a sequence, into a table of its own', async () => {
  const features = [
    feature('node/1', {
      name: 'Corner "Brace" {Shop}',
      shop: 'hardware',
      'addr:housenumber': '7',
      'addr:street': 'Oak Ave',
    }),
    feature('node/2', { shop: 'bakery' }),
    {
      ...feature('way/3', { name: 'Big Hall', amenity: 'bar' }),
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-90, 39],
            [-89, 39],
            [-89, 40],
            [-90, 39],
          ],
        ],
      },
    },
  ];
  const text = features.map((one) => `\u001e${JSON.stringify(one)}\n`).join('');
  const { unusable } = await load(file('osm-2026-10-01.geojsonseq', text));
  expect(unusable).toBe(1);
  expect(await places('openstreetmap')).toEqual([]);
  expect(await places('openstreetmap', 'app.open_street_map_places')).toMatchObject([
    {
      source_id: 'node/1',
      name: 'Corner "Brace" {Shop}',
      address: '7 Oak Ave',
      license: 'ODbL-1.0',
      release: '2026-10-01',
    },
    { source_id: 'way/3', longitude: -89.5, latitude: 39.5 },
  ]);
});

test('reads AllThePlaces from a packed collection', async () => {
  const collection = {
    type: 'FeatureCollection',
    dataset_attributes: { a: 1 },
    features: [feature('x1', { '@spider': 'chain', name: 'Chain', shop: 'car_repair' })],
  };
  await load(file('atp.geojson', gzipSync(JSON.stringify(collection, null, 1))), { release: '2026-09-01' });
  expect(await places('alltheplaces')).toMatchObject([
    { source_id: 'x1', license: 'CC0-1.0', categories: ['car_repair'] },
  ]);
});

test('reads packed CSV, and asks for what it does not say', async () => {
  const csv =
    'ID;Business Name;Lat;Lng;Type\r\n7;"Tab	and \\ back";39.78;-89.65;Plumber|Handyman\r\n8;;39;-89;x\r\n9;No place;;;x\r\n';
  const path = file('own.csv.gz', gzipSync(csv));
  await expect(load(path)).rejects.toThrow('Say where');
  await expect(load(path, { source: 'city' })).rejects.toThrow('license');
  await expect(load(path, { source: 'city', license: 'CC-BY-4.0' })).rejects.toThrow('the date of the files');
  const { unusable } = await load(path, { source: 'city', license: 'CC-BY-4.0', release: '2026' });
  expect(unusable).toBe(2);
  expect(await places('city')).toMatchObject([
    { source_id: '7', name: 'Tab and \\ back', categories: ['Plumber', 'Handyman'], license: 'CC-BY-4.0' },
  ]);
});

test('keeps places under the ODbL apart, whatever their source is called', async () => {
  const csv = (...rows: string[]) => ['id,name,lat,lon,license', ...rows].join('\n');
  const rows = (license: string) =>
    csv(`1,First Bakery,39.78,-89.65,${license}`, '2,Second Bakery,39.79,-89.65,CC-BY-4.0');
  const apart = () => places('city-map', 'app.open_street_map_places');
  const one = await load(file('mixed-2026-09-01.csv', rows('odc-odbl')), { source: 'city-map' });
  expect(one).toMatchObject({ added: 2, changed: 0, gone: 0, same: 0 });
  expect(await apart()).toMatchObject([{ source_id: '1', license: 'odc-odbl' }]);
  expect(await places('city-map')).toMatchObject([{ source_id: '2' }]);
  // A license that changes takes the place with it.
  const other = await load(file('mixed-2026-10-01.csv', rows('CC0-1.0')), { source: 'city-map' });
  expect(other).toMatchObject({ added: 0, changed: 1, gone: 0, same: 1 });
  expect(await apart()).toEqual([]);
  const whole = csv('1,First Bakery,39.78,-89.65,Open Database License 1.0');
  expect(await load(file('mixed-2026-11-01.csv', whole), { source: 'city-map' })).toMatchObject({
    changed: 1,
    gone: 1,
  });
  expect(await apart()).toMatchObject([{ source_id: '1', gone: false }]);
  expect(await places('city-map')).toMatchObject([{ source_id: '2', gone: true }]);
});

test('places under the ODbL that were loaded beside others are moved', async () => {
  await client.query(`
    insert into app.open_releases (id, source, release, license, sandbox) values (901, 'beside', '2026-01-01', 'odc-odbl', false),
      (902, 'beside', '2026-01-01', 'CC0-1.0', false), (903, 'beside', '2026-01-01', 'Under the ODbL', false);
    insert into app.open_places (source, source_id, release_id, name, categories, latitude, longitude, closed, terms, added_by, changed_by)
    select 'beside', id::text, id, 'Bakery', '{}', 1, 1, false, '{}', 1, 1 from unnest(array[901, 902, 903]) as id;
    insert into app.open_street_map_places (source, source_id, release_id, name, categories, latitude, longitude, closed, terms, added_by, changed_by, gone_by, gone_on)
    values ('beside', '903', 901, 'Old Bakery', '{}', 1, 1, false, '{}', 1, 1, 1, current_date)`);
  await client.query(readFileSync('supabase/migrations/20261126140000_apart_by_any_spelling.sql', 'utf8'));
  expect(await places('beside')).toMatchObject([{ source_id: '902' }]);
  expect(await places('beside', 'app.open_street_map_places')).toMatchObject([
    { source_id: '901' },
    { source_id: '903', name: 'Bakery', gone: false, license: 'Under the ODbL' },
  ]);
});

test('works in a process of its own, and says what it held and what it refused', async () => {
  const path = file('apart.csv', 'id,name,latitude,longitude\n1,A,39,-89\n');
  const order = { files: [path], source: 'apart', license: 'CC0-1.0', release: '1' };
  const seen: number[] = [];
  const loaded = await loadApart({ url, order, progress: ({ rows }) => seen.push(rows) });
  expect(loaded).toMatchObject({ added: 1, staged: 1, resumed: false });
  expect(loaded.mebibytes).toBeGreaterThan(20);
  expect(seen).toEqual([1]);
  await expect(loadApart({ url, order: { ...order, files: [join(folder, 'none.csv')] } })).rejects.toThrow(
    UnreadableFile,
  );
});

test('counts the memory of its own process, not that of the one which began it', async () => {
  const held = Buffer.alloc(400 * 1024 * 1024, 1);
  const path = file('small.csv', 'id,name,latitude,longitude\n1,A,39,-89\n');
  const loaded = await loadApart({ url, order: { files: [path], source: 'small', license: 'CC0-1.0', release: '1' } });
  expect(loaded.mebibytes).toBeLessThan(held.length / 1024 / 1024);
});

test.each(['broken.parquet', 'broken.geojson.gz'])(
  'says of %s that it is damaged, not that it lacks columns',
  async (name) => {
    await expect(load(file(name, 'PAR\u0000nothing'))).rejects.toThrow(
      `${name} is not the kind of file its name says.`,
    );
  },
);

const chained = [1, 2, 3].map((id) => JSON.stringify(feature(`cut${id}`, { '@spider': 'cut', name: `Cut ${id}` })));
const collected = `{"type":"FeatureCollection","features":[${chained.join(',\n')}]}`;
const inSequence = chained.map((one) => `\u001e${one}\n`).join('');
test.each([
  ['behind a feature', collected.slice(0, collected.lastIndexOf(',\n'))],
  ['within a feature', collected.slice(0, collected.indexOf('"cut3"'))],
  ['before its last bracket', collected.slice(0, -1)],
  ['within the last record of a sequence', inSequence.slice(0, -5)],
  ['within a text of a sequence', inSequence.slice(0, inSequence.indexOf('cut3') + 2)],
  ['before its first feature ends', collected.slice(0, 60)],
])('refuses GeoJSON that is cut off %s, and changes nothing', async (_where, cut) => {
  await load(file('whole.geojson', collected), { release: '2026-09-02', missing: 'whole' });
  const before = await places('alltheplaces');
  const refused = load(file('cut.geojson', cut), { release: '2026-09-03', missing: 'whole' });
  await expect(refused).rejects.toThrow('cut.geojson ends in the middle. Is it complete?');
  expect(await places('alltheplaces')).toEqual(before);
  expect(await rowsOf(url, `select from app.open_imports where state = 'running'`, [])).toEqual([]);
  expect(await rowsOf(url, 'select from app.open_staged', [])).toEqual([]);
});

const manyRows = Array.from({ length: 30_000 }, (_, id) => `${id},${randomBytes(9).toString('hex')},39,-89\n`).join('');
const packedRows = gzipSync(`id,name,latitude,longitude\n${manyRows}`);
const packedFeatures = gzipSync(
  Array.from({ length: 30_000 }, (_, id) =>
    JSON.stringify(feature(`d${id}`, { '@spider': 'd', name: `D${id * id}` })),
  ).join('\n'),
);
const half = (whole: Buffer) => whole.subarray(0, whole.length >> 1);
const scratched = (whole: Buffer) => Buffer.from(whole).fill(0x55, whole.length >> 1, (whole.length >> 1) + 2_000);
test.each([
  ['half.csv.gz', half(packedRows), 'cannot be unpacked'],
  ['scratched.csv.gz', scratched(packedRows), 'cannot be unpacked'],
  ['half.geojson.gz', half(packedFeatures), 'cannot be unpacked'],
  ['scratched.parquet', undefined, 'cannot be read as Parquet'],
])('of %s, whose damage shows only while it is read, it says so', async (name, content, said) => {
  const path = content === undefined ? join(folder, name) : file(name, content);
  if (content === undefined) {
    const written = Array.from({ length: 30_000 }, (_, id) => ({
      ...DENTIST,
      name: randomBytes(9).toString('hex'),
      id: `d${id}`,
      category: 'x',
      longitude: -89,
      latitude: 39,
    }));
    await writeParquet(path, 'v2', written);
    file(name, scratched(readFileSync(path)));
  }
  const order = { files: [path], source: 'damaged', license: 'CC0-1.0', release: '1', missing: 'part' as const };
  const refused = await loadApart({ url, order }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnreadableFile);
  expect(refused).toMatchObject({ message: expect.stringContaining(`${name} ${said}. Is it complete?`) });
  const noted = 'select state, message from app.open_imports order by id desc limit 1';
  expect(await rowsOf(url, noted, [])).toMatchObject([{ state: 'failed', message: expect.stringContaining(said) }]);
  expect(await rowsOf(url, 'select from app.open_staged', [])).toEqual([]);
});

test('rows with an odd license or date stop no import', async () => {
  const head = 'id,name,lat,lon,license,closed on\n';
  const row = (id: string, license: string, closed = '') => `${id},Bakery ${id},39.78,-89.65,${license},${closed}\n`;
  const csv = `${head}${row('a', 'CC0-1.0\0')}${row('b', 'x'.repeat(150))}${row('c', '')}${row('d', 'CC0-1.0', '2026-02-31')}${row('e', 'CC0-1.0', '0000-00-00')}${row('f', 'CC0-1.0', '2026-02-28')}`;
  expect(await load(file('odd.csv', csv), { source: 'odd', release: '1' })).toMatchObject({ added: 4, unusable: 2 });
  expect(await places('odd')).toMatchObject([
    { source_id: 'a', license: 'CC0-1.0' },
    { source_id: 'd', closed: true, closed_on: null },
    { source_id: 'e', closed_on: null },
    { source_id: 'f', closed_on: '2026-02-28' },
  ]);
  for (const order of [{ license: 'x'.repeat(101) }, { license: 'CC0-1.0', release: 'x'.repeat(61) }])
    await expect(load(file('odd.csv', csv), { source: 'odd', release: '1', ...order })).rejects.toThrow('at most');
});

test('says that an import failed, whatever it failed at, and keeps it for later where the database was lost', async () => {
  const path = file('failing.csv', 'id,name,latitude,longitude\n1,Refused,39,-89\n');
  const order = { files: [path], source: 'failing', license: 'CC0-1.0', release: '1' };
  const noted = () =>
    rowsOf(url, `select state, message from app.open_imports where source = 'failing' order by id`, []);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const refuse = (how: string) =>
    owner.query(`create or replace function app.refuse_staged() returns trigger language plpgsql as $$ begin ${how} end $$;
      create or replace trigger refuse before insert on app.open_staged for each row execute function app.refuse_staged()`);
  await refuse(`raise check_violation using message = 'refused_constraint';`);
  const failed = await loadApart({ url, order }).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    message: expect.stringMatching(/^The import failed, and nothing/),
    cause: { message: 'refused_constraint' },
  });
  const said = { state: 'failed', message: expect.stringMatching(/^The import failed, and nothing/) };
  expect(await noted()).toEqual([said]);
  await refuse(`raise exception using errcode = '57P01', message = 'terminated';`);
  await expect(loadApart({ url, order })).rejects.toThrow('terminated');
  expect(await noted()).toEqual([said, { state: 'running', message: null }]);
  await owner.query('drop function app.refuse_staged cascade');
  await owner.end();
  expect(await loadApart({ url, order })).toMatchObject({ added: 1, resumed: true });
});

test('goes on after a failure that may pass, and begins again after one that stays', async () => {
  const csv = `id,name,latitude,longitude\n${Array.from({ length: 11_000 }, (_, id) => `${id},Place ${id},${39 + id / 20_000},-89\n`).join('')}`;
  const order = { files: [file('passing.csv', csv)], source: 'passing', license: 'CC0-1.0', release: '1' };
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const refuse = (what: string) =>
    owner.query(`create or replace function app.refuse_late() returns trigger language plpgsql as $$ begin ${what} return new; end $$;
      create or replace trigger refuse before insert on app.open_staged for each row execute function app.refuse_late()`);
  const fail = () => loadPlaces(client, { order }).catch((error: Error) => error.message);
  const imports = () =>
    rowsOf<{ state: string; done: number }>(
      url,
      `select state, rows_done::integer as done from app.open_imports where source = 'passing' order by id`,
      [],
    );
  await refuse(`if new.source_id = '10500' then raise disk_full using message = 'no room'; end if;`);
  expect(await fail()).toContain('continues where it stopped');
  const [{ state, done } = { state: '', done: 0 }] = await imports();
  expect([state, done > 0 && done < 10_500]).toEqual(['failed', true]);
  expect(await fail()).toContain('Look at the files');
  expect(await fail()).toContain('continues where it stopped');
  await owner.query('drop function app.refuse_late cascade');
  await owner.end();
  expect(await loadPlaces(client, { order })).toMatchObject({ resumed: true, added: 11_000, staged: 11_000 });
  expect((await imports()).map((one) => one.state)).toEqual(['failed', 'completed']);
});

test('keeps to a state by its outline', async () => {
  const row = (id: string, longitude: number, latitude: number) => `${id},${id},${latitude},${longitude}\n`;
  const csv = `id,name,latitude,longitude\n${row('in', -89.65, 39.78)}${row('out', -90.3, 38.6)}`; // St. Louis lies in the frame of IL
  await load(file('state.csv', csv), { source: 'states', license: 'CC0-1.0', release: '1', state: 'IL' });
  expect(await places('states')).toMatchObject([{ source_id: 'in' }]);
  await expect(
    load(file('state.csv', csv), { source: 'states', license: 'CC0-1.0', release: '1', state: 'ZZ' }),
  ).rejects.toThrow('not a state');
});

test('of a state, what counts as gone lies in its outline, whatever states and countries the places name', async () => {
  const row = (id: string, longitude: number, latitude: number, state: string) =>
    `${id},${id},${latitude},${longitude},${state}\n`;
  const head = 'id,name,latitude,longitude,state\n';
  const beyond = `${row('belem', -48.5, -1.45, 'PA')}${row('camden', -75.12, 39.94, 'PA')}`;
  const within = row('kept', -75.16, 39.95, 'PA');
  const first = file(
    'first.csv',
    `${head}${beyond}${within}${row('unnamed', -76.88, 40.27, '')}${row('named', -76.9, 40.3, 'PA')}`,
  );
  const said = { source: 'outlines', license: 'CC0-1.0' };
  await load(first, { ...said, release: '1' });
  const second = file('second.csv', `${head}${beyond}${within}`);
  expect(await load(second, { ...said, release: '2', state: 'PA' })).toMatchObject({ same: 1, gone: 2 });
  const there = (await places('outlines')).filter(({ gone }) => gone === false);
  expect(there.map(({ source_id: id }) => id)).toEqual(['belem', 'camden', 'kept']);
});

test('of a state, many that are gone are asked about', async () => {
  const rows = Array.from({ length: 700 }, (_, id) => `m${id},Place ${id},${40 + id / 2_000},-77\n`);
  const csv = (some: readonly string[]) => `id,name,latitude,longitude\n${some.join('')}`;
  const said = { source: 'many', license: 'CC0-1.0' };
  await load(file('all.csv', csv(rows)), { ...said, release: '1' });
  const few = file('few.csv', csv(rows.slice(0, 500)));
  await expect(load(few, { ...said, release: '2', state: 'PA' })).rejects.toThrow('lack 200 places');
  expect(await load(few, { ...said, release: '2', state: 'PA', missing: 'whole' })).toMatchObject({ gone: 200 });
  const fewer = file('fewer.csv', csv(rows.slice(0, 399)));
  expect(await load(fewer, { ...said, release: '3', state: 'PA', missing: 'whole' })).toMatchObject({ gone: 101 });
});

test('refuses invented places among real ones', async () => {
  const csv = 'id,name,latitude,longitude\nsandbox-1,A,39,-89\n2,B,39,-89\n';
  await expect(load(file('mixed.csv', csv), { source: 'mixed', license: 'CC0-1.0', release: '1' })).rejects.toThrow(
    'invented',
  );
  expect(await rowsOf(url, `select state, message from app.open_imports where source = 'mixed'`, [])).toMatchObject([
    { state: 'failed' },
  ]);
});

test('a second release is told by exactly what is new, changed and gone', async () => {
  const rows = new Map(
    Array.from({ length: 6_000 }, (_, index) => [
      `p${index}`,
      [`Business ${index}`, 39 + (index % 100) / 100, -89 - index / 10_000, `217-555-${index}`],
    ]),
  );
  const csv = () =>
    `id,name,latitude,longitude,phone\n${[...rows].map(([id, values]) => [id, ...values].join(',')).join('\n')}\n`;
  const said = { source: 'twice', license: 'CC0-1.0' };
  expect(await load(file('one.csv', csv()), { ...said, release: '1' })).toMatchObject({
    added: 6_000,
    changed: 0,
    gone: 0,
    same: 0,
  });
  const planted = { added: [] as string[], changed: [] as string[], gone: [] as string[] };
  for (let at = 0; at < 400; at += 1) {
    rows.delete(`p${at * 3}`);
    planted.gone.push(`p${at * 3}`);
    const changed = `p${at * 3 + 1}`;
    rows.set(
      changed,
      (rows.get(changed) ?? []).with(at % 4, [`New name ${at}`, 40.5, -90.5, '217-555-0199'][at % 4] ?? ''),
    );
    planted.changed.push(changed);
    if (at >= 200) continue;
    rows.set(`n${at}`, [`Newcomer ${at}`, 39.5, -89.5, '']);
    planted.added.push(`n${at}`);
  }
  const release = { ...said, release: '2' };
  expect(await load(file('two.csv', csv()), release)).toMatchObject({
    added: 200,
    changed: 400,
    gone: 400,
    same: 5_200,
  });
  const found = async (condition: string) =>
    (
      await rowsOf<{ source_id: string }>(
        url,
        `select source_id from app.open_places where source = 'twice' and ${condition}`,
        [],
      )
    )
      .map((row) => row.source_id)
      .sort();
  const last = '(select max(id) from app.open_imports)';
  expect(await found(`added_by = ${last}`)).toEqual(planted.added.sort());
  expect(await found(`changed_by = ${last} and added_by <> ${last}`)).toEqual(planted.changed.sort());
  expect(await found(`gone_by = ${last}`)).toEqual(planted.gone.sort());
  expect(await load(join(folder, 'two.csv'), release)).toMatchObject({ added: 0, changed: 0, gone: 0, same: 5_800 });

  // Only a part of it: nothing is taken for gone without being told so.
  const part = file('part.csv', `${csv().split('\n').slice(0, 100).join('\n')}\n`);
  await expect(load(part, { ...said, release: '3' })).rejects.toThrow(
    'lack 5,701 places that were loaded before. If they are only a part, name its state or area, or say that they are a part: then',
  );
  const bbox = { west: -90.6, south: 38, east: -88, north: 41 };
  await expect(load(part, { ...said, release: '3', bbox })).rejects.toThrow(
    'lack 5,701 places that were loaded before in this area. If they are only a part, say that they are a part: then',
  );
  expect(await load(part, { ...said, release: '3', missing: 'part' })).toMatchObject({ gone: 0, same: 99 });
  expect(await load(join(folder, 'one.csv'), { ...said, release: '4', missing: 'whole' })).toMatchObject({
    added: 400,
    gone: 200,
    changed: 400,
    same: 5_200,
  });
});

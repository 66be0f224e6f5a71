import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { parseCsv } from './csv.ts';
import { readCsvBusinesses } from './csv-businesses.ts';

const header = 'id,name,category,street,city,postcode,country,latitude,longitude,phone,website,email';
const rows = [
  'r1,"Zoë\'s ""Table"", Quay",restaurant,1 Quay,Ramsoe,RA1,Isle of Test,54.10,-4.50,+44 1624 496001,https://zoes.example/,',
  'r2,A Café,cafe,,Ramsoe,,Isle of Test,54.11,-4.51,01624 496002;01624 496003,,',
  'r3,Curl Up,hairdresser;beauty,,Ramsoe,,Isle of Test,54.12,-4.52,,,',
  'r4,No Coordinates,restaurant,,Ramsoe,,Isle of Test,,,,,',
  'r5,Far Grill,restaurant,,Northby,,Isle of Test,54.60,-4.50,,,',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fairlead-csv-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

test('quotes, both line endings and a byte order mark are read', () => {
  expect(parseCsv('\uFEFFa,b\r\n"x, ""y""\nz",\n\n,last')).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', ''],
    ['', 'last'],
  ]);
});

test('rows become businesses; one without coordinates is left out', async () => {
  const businesses = await readCsvBusinesses(await file('good.csv', [header, ...rows].join('\r\n')));
  expect(businesses.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3', 'r5']);
  expect(businesses[0]).toMatchObject({
    name: 'Zoë\'s "Table", Quay',
    internationalPhone: '+44 1624 496001',
    nationalPhone: '01624 496001',
  });
  expect(businesses[1]).toMatchObject({ nationalPhone: '01624 496002' });
  expect(businesses[1]).not.toHaveProperty('internationalPhone');
});

test('a file that is missing or lacks columns is named', async () => {
  await expect(readCsvBusinesses(join(folder, 'none.csv'))).rejects.toThrow(/cannot be read.*none\.csv/);
  await expect(readCsvBusinesses(await file('short.csv', 'id,name\n1,x\n'))).rejects.toThrow(
    /lacks the columns category,/,
  );
});

describe('a sandbox that serves the file', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      host: '127.0.0.1',
      placesCsv: await file('served.csv', [header, ...rows].join('\n')),
    });
  });
  afterAll(() => sandbox.close());

  async function names(body: object): Promise<string[]> {
    const response = await fetch(`${sandbox.url}/google/v1/places:searchText`, {
      method: 'POST',
      headers: { 'x-goog-api-key': 'sandbox', 'x-goog-fieldmask': 'places.id,places.displayName' },
      body: JSON.stringify(body),
    });
    const { places = [] } = (await response.json()) as { places?: { displayName: { text: string } }[] };
    return places.map(({ displayName }) => displayName.text);
  }
  const island = { rectangle: { low: { latitude: 54, longitude: -5 }, high: { latitude: 54.2, longitude: -4 } } };

  test('finds by category, by what people call it, by words of the name, within the box', async () => {
    const search = (textQuery: string) => names({ textQuery, locationRestriction: island });
    expect(await search('restaurants')).toEqual(['Zoë\'s "Table", Quay', 'A Café']);
    expect(await search('hair salon')).toEqual(['Curl Up']);
    expect(await search('beauty shop')).toEqual(['Curl Up']);
    expect(await search('curl')).toEqual(['Curl Up']);
    expect(await search('plumber')).toEqual([]);
  });

  test('elsewhere the invented businesses are served, and a business is found by its name', async () => {
    const austin = { rectangle: { low: { latitude: 30, longitude: -98 }, high: { latitude: 30.6, longitude: -97.4 } } };
    expect(await names({ textQuery: 'restaurant', locationRestriction: austin })).toHaveLength(20);
    expect(await names({ textQuery: 'curl up' })).toEqual(['Curl Up']);
  });
});

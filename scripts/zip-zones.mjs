// Writes calling/zones/zip-zones.json: in which time zones the addresses of a ZIP code may lie, for states that have several. To run it
// again, after new boundaries: npm install --no-save geo-tz@8.1.9 && node scripts/zip-zones.mjs
import { writeFileSync } from 'node:fs';
import { ready } from './set-up/ready.mjs';

const FILE = 'calling/zones/zip-zones.json';
const SOURCE = 'Boundaries of timezone-boundary-builder, from OpenStreetMap, by geo-tz 8.1.9';

const KM_PER_DEGREE = 111.2;
/** A ZIP code reaches as far as this many of its neighbors, but within these bounds, in kilometers. */
const NEIGHBORS = 6;
const LEAST_KM = 8;
const MOST_KM = 60;
/** A middle so far from all others with its first three digits is taken for a mistake, in kilometers. */
const STRAY_KM = 100;
const RINGS = [0.34, 0.67, 1];
const DIRECTIONS = Array.from({ length: 16 }, (_, index) => (index * Math.PI) / 8);

const narrowAt = ({ latitude }) => Math.cos((latitude * Math.PI) / 180);
const distance = (one, other) =>
  KM_PER_DEGREE * Math.hypot(one.latitude - other.latitude, (one.longitude - other.longitude) * narrowAt(one));

function reachOf(center, spots) {
  const away = spots
    .filter(({ latitude }) => Math.abs(latitude - center.latitude) * KM_PER_DEGREE < MOST_KM)
    .map((spot) => distance(center, spot))
    .filter((km) => km > 0)
    .toSorted((a, b) => a - b);
  return Math.min(MOST_KM, Math.max(LEAST_KM, away[NEIGHBORS - 1] ?? MOST_KM));
}

/** The middle of a ZIP code, and points around it as far as `km`. */
const pointsAround = (center, km) => [
  center,
  ...RINGS.flatMap((ring) =>
    DIRECTIONS.map((direction) => ({
      latitude: center.latitude + (Math.cos(direction) * ring * km) / KM_PER_DEGREE,
      longitude: center.longitude + (Math.sin(direction) * ring * km) / KM_PER_DEGREE / narrowAt(center),
    })),
  ),
];

/** "85001-85003 85005": each run of ZIP codes that follow each other among `all`. */
function inRuns(zips, all) {
  const runs = [];
  for (const zip of zips) {
    const last = runs.at(-1);
    if (last && all[all.indexOf(last.to) + 1] === zip) last.to = zip;
    else runs.push({ from: zip, to: zip });
  }
  return runs.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(' ');
}

await ready(async () => {
  const { default: geo } = await import('geo-tz');
  const { zipCenters } = await import('../area/named/zip-codes.ts');
  const { STATE_ZONES } = await import('../calling/zones/state-zones.ts');
  geo.preCache();
  const centers = zipCenters();
  const spots = [
    ...new Map([...centers.values()].map((center) => [`${center.latitude},${center.longitude}`, center])).values(),
  ];
  const table = {};
  for (const [state, zones] of Object.entries(STATE_ZONES).filter(([, { length }]) => length > 1)) {
    const zips = [...centers.keys()].filter((zip) => centers.get(zip).state === state).toSorted();
    const groups = Map.groupBy(zips, (zip) => {
      const center = centers.get(zip);
      const kin = zips.filter((other) => other !== zip && other.slice(0, 3) === zip.slice(0, 3));
      const isStray = !kin.some((other) => distance(center, centers.get(other)) < STRAY_KM);
      const found = (points) => new Set(points.flatMap(({ latitude, longitude }) => geo.find(latitude, longitude)));
      // A middle outside of the state, or far from its kin, says nothing.
      if (isStray || !zones.some((zone) => found([center]).has(zone))) return zones.join(' ');
      const around = found(pointsAround(center, reachOf(center, spots)));
      return zones.filter((zone) => around.has(zone)).join(' ');
    });
    table[state] = Object.fromEntries([...groups].map(([names, some]) => [names, inRuns(some, zips)]));
  }
  const license = 'Open Database License 1.0 (ODbL-1.0), © OpenStreetMap contributors';
  const made = { generatedOn: new Date().toISOString().slice(0, 10), source: SOURCE, license, zones: table };
  writeFileSync(FILE, `${JSON.stringify(made, null, 2)}\n`);
});

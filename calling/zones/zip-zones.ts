import { z } from 'zod/mini';
import data from './zip-zones.json' with { type: 'json' };

/** By state, and by zones with a space between them: runs of ZIP codes such as "85001-85003 85005". */
const Zones = z.record(z.string(), z.record(z.string(), z.string()));

let read: ReadonlyMap<string, readonly string[]> | undefined;

function readZones(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [state, groups] of Object.entries(Zones.parse(data.zones)))
    for (const [names, runs] of Object.entries(groups)) {
      const zones = names.split(' ');
      for (const run of runs.split(' ')) {
        const [from = '', to = from] = run.split('-');
        for (let zip = Number(from); zip <= Number(to); zip += 1)
          found.set(`${state} ${String(zip).padStart(5, '0')}`, zones);
      }
    }
  return found;
}

/** The zones that addresses of a ZIP code may lie in; undefined where the table does not say. It names states with several zones. */
export function zonesOfZip(state: string, zip: string): readonly string[] | undefined {
  read ??= readZones();
  return read.get(`${state} ${zip}`);
}

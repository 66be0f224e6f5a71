// Loaded into a server by --import. A key may make so many calls a second that only the machine limits them. In `npm
// test` the runs of a server that was killed are free sooner.
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { LEASE } from '#server/runs/run-lease.ts';

const limits = [{ calls: 500, windowMs: 1_000 }];
Object.assign(SPACING, { google_places: limits, hunter_io: limits, searchbug: limits });
if (process.env.CHAOS_SHORT_LEASES) Object.assign(LEASE, { lastsMs: 3_000, beatMs: 750 });

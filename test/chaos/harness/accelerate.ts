// Loaded into a server by --import: a key may make so many calls a second that only the machine limits them.
import { SPACING } from '#server/paid-calls/take-slot.ts';

const limits = [{ calls: 500, windowMs: 1_000 }];
Object.assign(SPACING, { google_places: limits, hunter_io: limits, searchbug: limits });

import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** Days after archival until a list is deleted, and after creation until it is archived (spec sections 4 and 9). */
export const RETENTION_DAYS = 30;
/** First day of a list's life on which its card warns of archival. */
const ARCHIVE_WARNING_FROM_DAY = 25;
/** Days between the mail that announces a list's deletion and the deletion. */
export const DELETION_WARNING_DAYS = 7;
/** Days that coordinates of Google may be kept (its Service Specific Terms §14.3). Place ids may stay. */
export const COORDINATES_DAYS = 30;
/** Days that a line of the audit log is kept, and a refusal, which may name someone who never came in. The database's trigger knows both. */
export const AUDIT_DAYS = 400;
export const REFUSAL_DAYS = 90;
/** Days that a page of a search for a whole area is remembered, from the day that it was paid for. */
export const AREA_PAGES_DAYS = 5;
/** Days that what Hunter knew of a domain, or did not know, is remembered. */
export const EMAILS_DAYS = 90;
/** Days after which an email is verified again. */
export const EMAIL_CHECK_DAYS = 30;
/** Days that what a business's own website told is remembered, and after which one is tried again that could not be read. */
export const WEBSITES_DAYS = 30;
export const WEBSITE_RETRY_DAYS = 1;
/** Years that a logged call is kept (16 CFR 310.5). The database's trigger knows them too. */
export const CALL_LOG_YEARS = 5;
/** The longest that a clean or listed verdict on a number may be relied on, in days (16 CFR 310.4(b)(3)(iv)). */
export const VERDICT_DAYS = 31;
/** Days that an export and the hashes of whom it held are kept: five years, as records of calls are (16 CFR 310.5). */
export const EXPORT_RECORD_DAYS = 1_827;
/** Days that a request of the public page waits for an administrator. */
export const STOP_REQUEST_DAYS = 90;
/** A browser asks for a retention sweep at most this often, in ms. */
export const SWEEP_INTERVAL_MS = 86_400_000;
/** Key of the browser's storage that holds when it last asked, in ms since 1970. */
export const SWEEP_MARKER_KEY = 'retention-last-run';

const DAY_MS = 86_400_000;

/** Archives and deletes those of the caller's lists whose time has come; returns how many. */
export const sweepRetentionEndpoint = endpoint({
  method: 'POST',
  path: '/api/retention/sweep',
  data: z.object({ archived: z.number(), deleted: z.number() }),
});

/** The retention badge of a list's card at `now` (ms since 1970), or nothing. */
export function retentionBadge(
  list: { archived: boolean; archivedAt: string | undefined; retentionFrom: string; keep?: boolean },
  now: number,
): string | undefined {
  if (list.keep) return undefined;
  // A clock that is a little behind the server's must not give a day on top.
  const daysSince = (iso: string) => Math.max(0, Math.floor((now - Date.parse(iso)) / DAY_MS));
  if (list.archived)
    return list.archivedAt ? inDays('Deletes', RETENTION_DAYS - daysSince(list.archivedAt)) : undefined;
  const age = daysSince(list.retentionFrom);
  if (age < ARCHIVE_WARNING_FROM_DAY || age >= RETENTION_DAYS) return undefined;
  return inDays('Archives', RETENTION_DAYS - age);
}

function inDays(what: 'Deletes' | 'Archives', days: number): string {
  const left = Math.max(0, days);
  return `${what === 'Deletes' ? 'Deletes in ' : 'Archives in '}${left} ${left === 1 ? 'day' : 'days'}`;
}

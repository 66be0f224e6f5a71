import { testKeyEndpoint } from '#contract/account/api-keys.ts';
import { checkCallabilityEndpoint } from '#contract/calling/callability.ts';
import { importSuppressionFileEndpoint } from '#contract/calling/suppressions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { uploadImportEndpoint } from '#contract/imports/imports.ts';
import { readMeterEndpoint } from '#contract/money/meters.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { previewExportEndpoint } from '#contract/work/exports/exports.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { readListPageEndpoint } from '#contract/work/list-page.ts';
import { googleCountEndpoint, leavesEndpoint, outlineEndpoint } from '#contract/work/search/coverage.ts';
import { countSearchEndpoint, lookUpPlaceEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import type { RequestLimit } from '#db/limits/count-requests.ts';

const MINUTE_MS = 60_000;
const PAID_PATHS: readonly string[] = [
  searchLeadsEndpoint.path,
  lookUpPlaceEndpoint.path,
  googleCountEndpoint.path,
  enrichEmailsEndpoint.path,
  checkComplianceEndpoint.path,
];

const WAITING_PATHS: readonly string[] = [
  ...PAID_PATHS,
  countSearchEndpoint.path,
  testKeyEndpoint.path,
  readMeterEndpoint.path,
  // Its reads take their turns themselves.
  readListPageEndpoint.path,
];

/** They change nothing, and need a body for what they are asked. */
const READING_PATHS: readonly string[] = [
  checkCallabilityEndpoint.path,
  countLeadsEndpoint.path,
  outlineEndpoint.path,
  leavesEndpoint.path,
];

/** They read as much as a file of a whole list. */
const DOWNLOADING_PATHS: readonly string[] = [previewExportEndpoint.path];

/** They take files. */
export const UPLOADS: readonly Endpoint[] = [uploadImportEndpoint, importSuppressionFileEndpoint];

/** How often the product API may be called. */
export const API_LIMITS = {
  /** An open page follows a run with one read a second; this bears ten such pages with everything else they read. */
  reads: { bucket: 'api.read.user.1m', hits: 900, windowMs: MINUTE_MS },
  /** Far more than anyone clicks. */
  writes: { bucket: 'api.write.user.1m', hits: 300, windowMs: MINUTE_MS },
  /** Files of everything there is, each of them thousands of rows. One a second is more than a person saves. */
  downloads: { bucket: 'api.download.user.1m', hits: 60, windowMs: MINUTE_MS },
  /** Evidence packs. Each may read the whole chain. */
  packs: { bucket: 'api.evidence.user.1h', hits: 60, windowMs: 60 * MINUTE_MS },
  /** What spends someone's money. Each takes seconds at the least, so one a second is more than a person starts. */
  paid: { bucket: 'api.paid.user.1m', hits: 60, windowMs: MINUTE_MS },
  /** Files: each is read to its end. */
  uploads: { bucket: 'api.upload.user.1m', hits: 20, windowMs: MINUTE_MS },
  /** For waiting for runs that have begun. Nothing is spent, but each wait keeps a connection open. */
  waits: { bucket: 'api.wait.user.1m', hits: 60, windowMs: MINUTE_MS },
  /** For calls without a valid session. An office whose sessions have all ended makes a few each; a script makes thousands. */
  unauthenticated: { bucket: 'api.unauthenticated.ip.1m', hits: 300, windowMs: MINUTE_MS },
} as const satisfies Record<string, RequestLimit>;

/** Whether a request mostly waits for a run or a provider, and not for the database. */
export const waitsForOthers = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  WAITING_PATHS.includes(path) || isUpload({ method, path });

/** A file comes as fast as its sender can send it. */
const isUpload = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  UPLOADS.some((upload) => upload.method === method && upload.path === path);

/**
 * Returns the limit of a signed-in user that an endpoint counts under.
 * A request that waits on for a run that has begun (`run` in the query) was counted as paying when it began.
 */
export function limitOf(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  query: Readonly<Record<string, string>> = {},
): RequestLimit {
  if (PAID_PATHS.includes(path)) return query.run === undefined ? API_LIMITS.paid : API_LIMITS.waits;
  if (isUpload({ method, path })) return API_LIMITS.uploads;
  if (DOWNLOADING_PATHS.includes(path)) return API_LIMITS.downloads;
  return method === 'GET' || READING_PATHS.includes(path) ? API_LIMITS.reads : API_LIMITS.writes;
}

import { sql } from 'kysely';
import { z } from 'zod/mini';
import type { LeadFilter } from '#contract/work/lead-choice.ts';
import type { LeadRow } from '#contract/work/leads.ts';
import type { Db } from '#db/connection/client.ts';
import { type JudgedLead, judgeLeads } from '#server/calling/judge-leads.ts';
import { fits } from '#server/leads/chosen-leads.ts';
import { LEAD_COLUMNS, type StoredLead, toLeadRow } from '#server/leads/lead-columns.ts';
import { AppError } from '#server/lib/app-error.ts';

/** The moment at which the first page was judged, in ms since 1970, and how many leads come before the next one. */
const Cursor = z.tuple([z.int(), z.int().check(z.minimum(0))]);
/** How long the following pages keep the moment of the first, in ms: longer ago says nothing of who may be called now. */
const MOST_AGE_MS = 3_600_000;
/** Clocks of two processes may differ by so much, in ms. */
const CLOCKS_DIFFER_MS = 60_000;

type Page = {
  listId: string;
  filter: LeadFilter;
  descending: boolean;
  after?: string | undefined;
  offset?: number | undefined;
  limit: number;
};

const NO_CURSOR = 'after is not the `next` of an earlier answer.';

const RANKS = ['callable', 'not_now', 'review', 'unknown', 'blocked'] as const;

/**
 * Reads some leads of a list: first those that may be called now, then those that open soonest.
 * - The following pages keep the order of the first for an hour. What has another verdict than `call` by now is left out of them.
 * - `shown`: what is said about the leads on the page at `at`, in ms since 1970.
 */
export async function readCallableFirst(
  db: Db,
  { listId, filter: { call, ...filter }, descending, after, offset = 0, limit }: Page,
): Promise<{ leads: LeadRow[]; next: string | null; at: number; shown: JudgedLead[] }> {
  const [at, first] = after === undefined ? [Date.now(), offset] : readCursor(after);
  const judged = await judgeLeads(db, fits(listId, filter), at);
  const meant = judged.filter(({ answer }) => !call || answer.verdict === call).toSorted(byCall);
  const ordered = descending ? meant.toReversed() : meant;
  const page = ordered.slice(first, first + limit);
  const now = after === undefined ? at : Date.now();
  const shown =
    now === at ? page : (await judgedAgain(db, page, now)).filter(({ answer }) => !call || answer.verdict === call);
  const { rows } = await sql<StoredLead>`
    select ${LEAD_COLUMNS} from public.leads as lead
    where lead.list_id = ${listId} and lead.position = any(${shown.map(({ position }) => position)}::integer[])
  `.execute(db);
  const rowOf = new Map(rows.map((row) => [row.position, toLeadRow(row)]));
  return {
    leads: shown.flatMap(({ position }) => rowOf.get(position) ?? []),
    next: ordered.length > first + limit ? writeCursor(at, first + limit) : null,
    at: now,
    shown,
  };
}

/** The same leads in the same order, with what is said of them at another moment. */
async function judgedAgain(db: Db, leads: readonly JudgedLead[], at: number): Promise<JudgedLead[]> {
  const ids = leads.map(({ id }) => id);
  const again = await judgeLeads(db, sql<boolean>`lead.id = any(${ids}::uuid[])`, at);
  const byId = new Map(again.map((lead) => [lead.id, lead]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const rankOf = ({ answer }: JudgedLead): number => RANKS.indexOf(answer.verdict);
const opensAt = ({ answer }: JudgedLead): number =>
  answer.verdict === 'not_now' ? (answer.window.opensAt ?? Number.MAX_SAFE_INTEGER) : 0;

const byCall = (a: JudgedLead, b: JudgedLead): number =>
  rankOf(a) - rankOf(b) || opensAt(a) - opensAt(b) || a.position - b.position;

const writeCursor = (at: number, first: number): string =>
  Buffer.from(JSON.stringify([at, first])).toString('base64url');

function readCursor(cursor: string): z.infer<typeof Cursor> {
  const [at, first] = parseCursor(cursor);
  if (at > Date.now() + CLOCKS_DIFFER_MS) throw new AppError('VALIDATION_FAILED', NO_CURSOR);
  if (at < Date.now() - MOST_AGE_MS)
    throw new AppError('VALIDATION_FAILED', 'This `next` is too old. Begin again without after.');
  return [at, first];
}

function parseCursor(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (error) {
    throw new AppError('VALIDATION_FAILED', NO_CURSOR, { cause: error });
  }
}

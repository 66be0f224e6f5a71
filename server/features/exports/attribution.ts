import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { inTransaction } from '#db/connection/tx.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import {
  type Releases,
  type Rights,
  readReleases,
  rightsOf,
  rightsOfExtra,
  VALUE_COLUMNS,
} from '#server/leads/origins/value-rights.ts';
import { ownList } from '#server/runs/rows.ts';
import { asksForCalls, createCallPart } from './call-part.ts';
import { type Export, type ExportedLead, exportedLeads } from './exported-leads.ts';
import { toSafeRow } from './safe-row.ts';
import { safeTerms } from './safe-terms.ts';

/**
 * What an export-safe file of a choice holds, and whom to name beside it.
 * - `lines`: one for each source and release.
 * - `leftOut`: leads that are not in the file at all. `valuesLeftOut`: values of the leads that are.
 * - `apartLeftOut`: values of either that are left out because they must stay apart.
 */
type Attribution = {
  lines: string[];
  exported: number;
  leftOut: number;
  valuesLeftOut: number;
  apartLeftOut: number;
};

/** Reads the attribution for an export-safe file of the same choice. */
export async function attributionLines(db: Db, listId: string, choice: Export['body']): Promise<Attribution> {
  const terms = await safeTerms(db, listId, choice);
  const callsOf = asksForCalls(choice) ? await createCallPart(db, choice) : undefined;
  const named = new Set<string>();
  let [exported, leftOut, valuesLeftOut, apartLeftOut] = [0, 0, 0, 0];
  for await (const rows of exportedLeads(db, listId, choice)) {
    const ids = rows.map(({ id }) => id);
    const calls = callsOf && (await inTransaction(db, (tx) => callsOf(tx, ids)));
    for (const row of rows) {
      if (calls && !calls.has(row.id)) continue;
      if (!terms.withApart) apartLeftOut += allRightsOf(row, terms.releases).filter(({ apart }) => apart).length;
      const safe = toSafeRow(row, terms);
      if (!safe) leftOut += 1;
      else {
        exported += 1;
        valuesLeftOut += safe.leftOut;
        for (const { rights } of safe.cells) named.add(lineOf(rights));
      }
    }
  }
  return { lines: [...named].sort(), exported, leftOut, valuesLeftOut, apartLeftOut };
}

const lineOf = ({ source, license, attribution }: Rights): string => attribution ?? `${source}. ${license}.`;

/** Whom to name beside a file with all values: the sources of open data. `exported`: leads with a value of theirs. */
async function openLines(
  db: Db,
  listId: string,
  choice: Export['body'],
): Promise<Pick<Attribution, 'lines' | 'exported'>> {
  const releases = await readReleases(db);
  const named = new Set<string>();
  let exported = 0;
  if (releases.size === 0 || !(await mayHaveOpen(db, listId))) return { lines: [], exported };
  const callsOf = asksForCalls(choice) ? await createCallPart(db, choice) : undefined;
  for await (const rows of exportedLeads(db, listId, choice)) {
    const ids = rows.map(({ id }) => id);
    const calls = callsOf && (await inTransaction(db, (tx) => callsOf(tx, ids)));
    for (const row of rows) {
      if (calls && !calls.has(row.id)) continue;
      const notices = noticesOf(row, releases);
      if (notices.length > 0) exported += 1;
      for (const notice of notices) named.add(notice);
    }
  }
  return { lines: [...named].sort(), exported };
}

/** Also values that came back in someone's own file. */
async function mayHaveOpen(db: Db, listId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from public.leads where list_id = ${listId} and strpos(sources::text, 'open:') > 0) as has
  `.execute(db);
  return rows[0]?.has === true;
}

/** Only open data asks to be named. */
const noticesOf = (lead: ExportedLead, releases: Releases): string[] =>
  allRightsOf(lead, releases).flatMap(({ attribution }) => attribution ?? []);

/** What each value of a lead may be kept under. Values that may not be kept have none. */
const allRightsOf = (lead: ExportedLead, releases: Releases): Rights[] =>
  [
    ...VALUE_COLUMNS.map((column) => (lead[column] ? rightsOf(lead, column, releases) : undefined)),
    ...Object.keys(lead.extra).map((header) => rightsOfExtra(lead, header, releases)),
  ].filter((rights) => rights !== undefined);

/** Whom to name, as a file of its own. It is empty beside a file with all values and no open data. */
export const exportAttribution = (ctx: Ctx, input: Export): Download => ({
  fileName: 'attribution.txt',
  type: 'text/plain; charset=utf-8',
  parts: partsOf(ctx, input),
});

async function* partsOf({ deps: { db }, user }: Ctx, { query, body }: Export): AsyncGenerator<string> {
  const list = await ownList(db, user.userId, query.listId);
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  if (body.rights !== 'export_safe') {
    const open = await openLines(db, list.id, body);
    if (open.lines.length > 0)
      yield `Sources and licenses of the open data of ${count(open.exported, 'lead')}\n\n${open.lines.map((line) => `${line}\n`).join('')}`;
    return;
  }
  const { lines, exported, leftOut, valuesLeftOut, apartLeftOut } = await attributionLines(db, list.id, body);
  yield `Sources and licenses of ${count(exported, 'lead')}\n\n${lines.map((line) => `${line}\n`).join('')}`;
  if (leftOut > 0)
    yield `\nLeft out: ${count(leftOut, 'lead')}. Either no license lets you keep the name, or it cannot be combined with other sources.\n`;
  if (valuesLeftOut > 0)
    yield `\nLeft out of the other leads: ${count(valuesLeftOut, 'value')}, for the same reasons.\n`;
  if (apartLeftOut > 0)
    yield `\nThe license of OpenStreetMap (ODbL) keeps out ${count(apartLeftOut, 'value')}, because leads here also have values of other sources.\n`;
}

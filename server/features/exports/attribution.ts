import type { Db } from '#db/connection/client.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import { type Rights, readReleases } from '#server/leads/value-rights.ts';
import { ownList } from '#server/runs/rows.ts';
import { type Export, exportedLeads, mayHoldApart } from './exported-leads.ts';
import { toSafeRow } from './safe-row.ts';

/** The sources to name beside an export, one line for each source and release. `leftOut`: leads that are not in the file. */
type Attribution = { lines: string[]; exported: number; leftOut: number };

/** Reads the attribution for an export-safe file of the same choice. */
export async function attributionLines(db: Db, listId: string, choice: Export['body']): Promise<Attribution> {
  const releases = await readReleases(db);
  const withApart = await mayHoldApart(db, listId, choice, releases);
  const named = new Set<string>();
  let [exported, leftOut] = [0, 0];
  for await (const rows of exportedLeads(db, listId, choice)) {
    for (const row of rows) {
      const safe = toSafeRow(row, releases, withApart);
      if (!safe) leftOut += 1;
      else {
        exported += 1;
        for (const rights of safe.rights.values()) named.add(lineOf(rights));
      }
    }
  }
  return { lines: [...named].sort(), exported, leftOut };
}

const lineOf = ({ source, license, attribution }: Rights): string => attribution ?? `${source}. ${license}.`;

/** The same as a file of its own. */
export const exportAttribution = (ctx: Ctx, input: Export): Download => ({
  fileName: 'attribution.txt',
  type: 'text/plain; charset=utf-8',
  parts: partsOf(ctx, input),
});

async function* partsOf({ deps: { db }, user }: Ctx, { query, body }: Export): AsyncGenerator<string> {
  const list = await ownList(db, user.userId, query.listId);
  const { lines, exported, leftOut } = await attributionLines(db, list.id, body);
  yield `Sources and licenses of ${exported} leads\n\n${lines.map((line) => `${line}\n`).join('')}`;
  if (leftOut > 0)
    yield `\n${leftOut} leads are left out: no license lets their name be kept, or it must be kept apart.\n`;
}

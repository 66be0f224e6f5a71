import { randomUUID } from 'node:crypto';
import { EXPORT_HEADER } from '#contract/calling/evidence.ts';
import { csvHead, csvRows } from '#contract/csv.ts';
import {
  CALL_COLUMNS,
  type CallTimes,
  exportColumns,
  LICENSES_HEADER,
  safeColumns,
} from '#contract/work/exports/exports.ts';
import { readLead } from '#contract/work/leads.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import { hasValuesToNote, noteTold } from '#server/leads/origins/note-told.ts';
import { readLeadCounts } from '#server/leads/read-lead-counts.ts';
import { uniqueHeaders } from '#server/lib/unique-headers.ts';
import { ownList } from '#server/runs/rows.ts';
import { asksForCalls, createCallPart } from './call-part.ts';
import { type Export, type ExportedLead, type Keep, notedText } from './exported-leads.ts';
import { readExtraHeaders } from './extra-headers.ts';
import { beginExport } from './note-export.ts';
import { recordExport } from './record-export.ts';
import { licensesOf, toSafeRow } from './safe-row.ts';
import { safeTerms } from './safe-terms.ts';

/**
 * Returns leads of one of the caller's lists as a CSV file, in the order in which they were found.
 * @throws NOT_FOUND
 */
export function exportLeads(ctx: Ctx, input: Export): Download {
  const exportId = randomUUID();
  return {
    fileName: 'leads.csv',
    type: 'text/csv; charset=utf-8',
    headers: { [EXPORT_HEADER]: exportId },
    parts: partsOf(ctx, input, exportId),
  };
}

async function* partsOf(ctx: Ctx, { query, body }: Export, exportId: string): AsyncGenerator<string> {
  const {
    deps: { db },
    user,
  } = ctx;
  const list = await ownList(db, user.userId, query.listId);
  const flags = {
    tier2Complete: list.tier2_complete,
    tier3Complete: list.tier3_complete,
    tier4Complete: list.tier4_complete,
    complianceChecked: list.compliance_checked,
    sandbox: list.sandbox ?? false,
  };
  const isSafe = body.rights === 'export_safe';
  const columns = (isSafe ? safeColumns : exportColumns)(flags, await readLeadCounts(db, list.id, {}));
  // What a file says about calls rests on values of any license.
  const callColumns = !isSafe && (body.call_times || body.call_within !== undefined) ? CALL_COLUMNS : [];
  const terms = isSafe ? await safeTerms(db, list.id, body) : undefined;
  const extra = (await readExtraHeaders(db, list.id)).filter((header) => !terms?.ours(header));
  const isNoted = await hasValuesToNote(db, list.id);
  const callsOf = asksForCalls(body) ? await createCallPart(db, body) : undefined;

  let calls: ReadonlyMap<string, CallTimes> | undefined;
  const keep: Keep = async (tx, page) => {
    calls = await callsOf?.(
      tx,
      page.map(({ id }) => id),
    );
    return page.flatMap((lead) => {
      const isHeld = (!calls || calls.has(lead.id)) && (!terms || toSafeRow(lead, terms));
      return isHeld ? [lead.id] : [];
    });
  };
  const noted = await beginExport(db, { exportId, userId: user.userId, list, fileName: body.file_name });
  const headers = [...columns, ...callColumns].map(({ header }) => header);
  // A column of a file that is called as one of ours says nothing of ours.
  const theirs = uniqueHeaders(extra, headers);
  const last = isSafe ? [LICENSES_HEADER] : [];
  const head = [...headers, ...theirs, ...last];
  const named = { ours: [...headers, ...last], theirs };
  const evidence = await recordExport(ctx, { exportId, list, choice: body, columns: named });
  /** Returns a lead as the file holds it. */
  const heldOf = (row: ExportedLead) => {
    const safe = terms && toSafeRow(row, terms);
    return terms && !safe ? [] : [{ row, safe, lead: readLead(safe?.row ?? row) }];
  };
  const cellsOf = ({ row, safe, lead }: ReturnType<typeof heldOf>[number]): string[] => {
    const call = calls?.get(row.id);
    const others = safe?.extra ?? row.extra;
    return [
      ...columns.map(({ cell }) => cell(lead)),
      ...callColumns.map(({ cell }) => (call ? cell(call) : '')),
      ...extra.map((header) => (Object.hasOwn(others, header) ? (others[header] ?? '') : '')),
      ...(safe ? [licensesOf(safe)] : []),
    ];
  };
  try {
    yield evidence.sent(csvHead(head));
    const texts = notedText(db, noted, {
      listId: list.id,
      choice: body,
      wanted: { extra: extra.length > 0, origin: isSafe || isNoted },
      keep: isSafe || callsOf ? keep : undefined,
      async write(tx, leads) {
        const held = leads.flatMap(heldOf);
        const leaving = held.map(({ row, safe, lead }) => {
          const others = safe?.extra ?? row.extra;
          const beside = row.named.flatMap(([header, number]) => (Object.hasOwn(others, header) ? [number] : []));
          return { id: row.id, phone: lead.phone, beside };
        });
        await evidence.leads(tx, leaving, calls);
        if (isNoted)
          await noteTold(
            tx,
            user.userId,
            held.map(({ row, safe }) => ({ ...row, ...safe?.row })),
          );
        return { text: held.map((one) => csvRows([cellsOf(one)])).join(''), leads: held.length };
      },
    });
    for await (const { text, leads } of texts) yield evidence.sent(text, leads);
    // Before the end of the file reaches its reader, who may then ask for this.
    await evidence.end({ complete: true });
  } finally {
    await evidence.end({ complete: false });
  }
}

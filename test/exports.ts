import Papa from 'papaparse';
import { addressOf } from '#contract/address.ts';
import { exportAttributionEndpoint, exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import type { Process, TestUser } from './product.ts';

/** A file of leads as text, by default of all of a list and with all of their values. */
export const exportText = (process: Pick<Process, 'request'>, user: TestUser, listId: string, more = {}) =>
  ask(process, user, addressOf(exportLeadsEndpoint.path, { listId }), more);

/** Its rows by their headers. */
export async function exportRows(process: Pick<Process, 'request'>, user: TestUser, listId: string, more = {}) {
  const text = await exportText(process, user, listId, more);
  return Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data;
}

/** What stands beside it. */
export const attributionText = (process: Pick<Process, 'request'>, user: TestUser, listId: string, more = {}) =>
  ask(process, user, addressOf(exportAttributionEndpoint.path, { listId }), { rights: 'export_safe', ...more });

async function ask(process: Pick<Process, 'request'>, user: TestUser, path: string, more: object): Promise<string> {
  const response = await process.request(path, {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads', ...more }),
  });
  if (!response.ok) throw new Error(`An export was refused with ${response.status}.`);
  return response.text();
}

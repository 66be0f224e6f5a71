import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorBody } from '#contract/errors.ts';
import {
  type DuplicateChoice,
  getImportEndpoint,
  type Import,
  type ImportFile,
  startImportEndpoint,
} from '#contract/imports/imports.ts';
import { type Process, Refusal, type TestUser } from './product.ts';

/** Sends a file as a browser does. Rejects with a Refusal. */
export async function uploadFile(
  product: Pick<Process, 'request'>,
  user: TestUser,
  file: string | Uint8Array<ArrayBuffer>,
  { type = 'text/csv', name = 'list.csv' } = {},
): Promise<ImportFile> {
  const response = await product.request(`/api/imports?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': type },
    body: file,
  });
  const answer = (await response.json()) as { data: ImportFile };
  if (!response.ok) throw new Refusal(response.status, ErrorBody.parse(answer));
  return answer.data;
}

/** Waits until an import has ended. Asks less often about a long one, as each question counts against a limit. */
export async function importEnd(user: TestUser, id: string): Promise<Import> {
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.2, 1000)) {
    const record = await user.call(getImportEndpoint, undefined, { id });
    if (!['waiting', 'running'].includes(record.state)) return record;
    await sleep(pauseMs);
  }
}

/** Sends a file, makes a list of it, and waits for its end. */
export async function importFile(
  product: Pick<Process, 'request'>,
  user: TestUser,
  file: string | Uint8Array<ArrayBuffer>,
  { duplicates = 'skip' }: { duplicates?: DuplicateChoice } = {},
): Promise<Import & { list: string }> {
  const { importId } = await uploadFile(product, user, file);
  const { listId } = await user.call(startImportEndpoint, { duplicates, listName: 'From a file' }, { id: importId });
  return { ...(await importEnd(user, importId)), list: listId };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorBody } from '#contract/errors.ts';
import type { ImportField } from '#contract/imports/fields.ts';
import {
  type DuplicateChoice,
  getImportEndpoint,
  type Import,
  type ImportFile,
  startImportEndpoint,
} from '#contract/imports/imports.ts';
import { type Process, Refusal, type TestUser } from './product.ts';

type TestFile = string | Uint8Array<ArrayBuffer>;

/** Sends a file to an address as a browser does. Rejects with a Refusal. */
export async function sendFile<T>(
  product: Pick<Process, 'request'>,
  user: TestUser,
  { path, file, type }: { path: string; file: TestFile; type: string },
): Promise<T> {
  const response = await product.request(path, {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': type },
    body: file,
  });
  const answer = (await response.json()) as { data: T };
  if (!response.ok) throw new Refusal(response.status, ErrorBody.parse(answer));
  return answer.data;
}

/** Sends a file that is to become a list. Rejects with a Refusal. */
export const uploadFile = (
  product: Pick<Process, 'request'>,
  user: TestUser,
  file: TestFile,
  { type = 'text/csv', name = 'list.csv' }: { type?: string | undefined; name?: string } = {},
): Promise<ImportFile> =>
  sendFile(product, user, { path: `/api/imports?name=${encodeURIComponent(name)}`, file, type });

/** Waits until an import has ended. Asks less often about a long one, as each question counts against a limit. */
export async function importEnd(user: TestUser, id: string): Promise<Import> {
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.2, 1000)) {
    const record = await user.call(getImportEndpoint, undefined, { id });
    if (!['waiting', 'running'].includes(record.state)) return record;
    await sleep(pauseMs);
  }
}

type Importing = { duplicates?: DuplicateChoice; mapping?: Record<string, ImportField>; type?: string | undefined };

/** Sends a file, makes a list of it, and waits for its end. */
export async function importFile(
  product: Pick<Process, 'request'>,
  user: TestUser,
  file: TestFile,
  { duplicates = 'skip', mapping = {}, type }: Importing = {},
): Promise<Import & { list: string }> {
  const { importId } = await uploadFile(product, user, file, { type });
  const { listId } = await user.call(
    startImportEndpoint,
    { duplicates, mapping, listName: 'From a file' },
    { id: importId },
  );
  return { ...(await importEnd(user, importId)), list: listId };
}

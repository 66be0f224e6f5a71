import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MOST_IMPORT_BYTES } from '#contract/imports/imports.ts';
import { openText } from '#server/features/imports/read/read-text.ts';
import { type OpenFile, UnreadableFile } from '#server/features/imports/read/row.ts';
import { openSheet } from '#server/features/imports/sheet/open-sheet.ts';
import { AppError } from '#server/lib/app-error.ts';

/** A file as a request carries it. `length`: in bytes, where the sender says it. */
export type Upload = { type: string; length: number | undefined; body: AsyncIterable<Uint8Array> | null };

/** What browsers and programs call the files that can be read. What is in them decides how. */
const TYPES = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/csv',
  'application/octet-stream',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Opens what was sent. `onChunk` sees each of its bytes once.
 * @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE and UnreadableFile.
 */
export async function openUpload(upload: Upload, onChunk: (chunk: Uint8Array) => void = () => {}): Promise<OpenFile> {
  const [type = ''] = upload.type.toLowerCase().split(';');
  if (!TYPES.includes(type.trim())) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Choose a CSV, TSV or XLSX file.');
  if ((upload.length ?? 0) > MOST_IMPORT_BYTES) throw tooLarge();
  if (!upload.body) throw new UnreadableFile('The file is empty.');
  const chunks = bounded(upload.body, onChunk);
  const head = await firstBytes(chunks);
  const startsWith = (bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte);
  if (startsWith(OLD_EXCEL))
    throw new UnreadableFile('This is a spreadsheet of an old format, or has a password. Save it as XLSX or CSV.');
  const all = again(head, chunks);
  return startsWith(ZIP) ? openSpooled(all) : openText(all);
}

const tooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', `The file is larger than ${MOST_IMPORT_BYTES / 1024 ** 2} MB. Import it in parts.`);

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_IMPORT_BYTES) throw tooLarge();
    onChunk(chunk);
    yield chunk;
  }
}

async function firstBytes(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head = new Uint8Array();
  while (head.length < ZIP.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = new Uint8Array(Buffer.concat([head, value]));
  }
  return head;
}

async function* again(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

/** What folders of spreadsheets are called that are being received, and how long one may last, in ms: a dead process leaves it. */
const FOLDER = 'fairlead-import-';
const LONGEST_MS = 86_400_000;

/** A spreadsheet is read from its end: it lies on disk until all of it is there. Once it is open its name goes, and with the process its bytes. */
async function openSpooled(chunks: AsyncGenerator<Uint8Array>): Promise<OpenFile> {
  await removeLeftBehind();
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
  try {
    const path = join(folder, 'file.xlsx');
    await pipeline(Readable.from(chunks), createWriteStream(path, { mode: 0o600 }));
    return await openSheet(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As far as it can: the folder of another account is not ours to remove. */
async function removeLeftBehind(): Promise<void> {
  const names = await readdir(tmpdir());
  for (const name of names.filter((one) => one.startsWith(FOLDER))) {
    const folder = join(tmpdir(), name);
    const about = await stat(folder).catch(() => undefined);
    if (about && about.mtimeMs < Date.now() - LONGEST_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

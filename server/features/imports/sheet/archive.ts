import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import yauzl from 'yauzl';
import { UnreadableFile } from '#server/features/imports/read/row.ts';

const MOST_PARTS = 5_000;
const MIB = 1024 ** 2;
/** Bytes that parts may unpack to. Their texts are in memory at once; the sheet is not. */
const MOST_UNPACKED = { sheet: 1024 * MIB, texts: 128 * MIB, other: 8 * MIB } as const;
export type PartKind = keyof typeof MOST_UNPACKED;

/** The parts of a spreadsheet file. */
export type Archive = {
  has(name: string): boolean;
  /** Each piece of a part's XML is given to `parser`; what `taken` returns behind a piece is passed on. */
  read<T>(name: string, kind: PartKind, parser: SaxesParser, taken: () => T): AsyncGenerator<T>;
  close(): void;
};

const DAMAGED = 'This spreadsheet is damaged, or has a password. Save it again, or save it as CSV.';
const TOO_LARGE = 'This spreadsheet unpacks to more than can be read. Save it as CSV and import that.';

/**
 * Opens the file at `path`.
 * @throws UnreadableFile for what is no archive.
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await open(path);
  const parts = await entriesOf(zip);
  return {
    has: (name) => parts.has(keyOf(name)),
    async *read(name, kind, parser, taken) {
      const entry = parts.get(keyOf(name));
      if (!entry) throw new UnreadableFile(DAMAGED);
      if (entry.uncompressedSize > MOST_UNPACKED[kind]) throw new UnreadableFile(TOO_LARGE);
      const utf8 = new StringDecoder('utf8');
      try {
        // The stream itself fails where a part unpacks to more than it says.
        for await (const chunk of await streamOf(zip, entry)) {
          parser.write(utf8.write(chunk as Buffer));
          yield taken();
        }
        parser.close();
      } catch (error) {
        throw error instanceof UnreadableFile ? error : new UnreadableFile(DAMAGED, { cause: error });
      }
      yield taken();
    },
    close: () => zip.close(),
  };
}

/** The names of parts differ by more than case. */
const keyOf = (name: string): string => name.toLowerCase();

const open = (path: string): Promise<yauzl.ZipFile> =>
  new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(new UnreadableFile(DAMAGED, { cause: error })) : resolve(zip),
    );
  });

function entriesOf(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  return new Promise((resolve, reject) => {
    const parts = new Map<string, yauzl.Entry>();
    zip.on('error', (error) => reject(new UnreadableFile(DAMAGED, { cause: error })));
    zip.on('end', () => resolve(parts));
    zip.on('entry', (entry: yauzl.Entry) => {
      if (parts.size >= MOST_PARTS) return reject(new UnreadableFile(TOO_LARGE));
      parts.set(keyOf(entry.fileName), entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

const streamOf = (zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });

/** A parser that throws at what is no XML. */
export function createParser(on: {
  open?: (tag: SaxesTagPlain) => void;
  close?: (tag: SaxesTagPlain) => void;
  text?: (text: string) => void;
}): SaxesParser {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  if (on.open) parser.on('opentag', on.open);
  if (on.close) parser.on('closetag', on.close);
  if (on.text) {
    parser.on('text', on.text);
    parser.on('cdata', on.text);
  }
  return parser;
}

/** The name of a tag without its prefix. */
export const plainName = ({ name }: SaxesTagPlain): string => name.slice(name.indexOf(':') + 1);

/** Reads a whole part. */
export async function readPart(archive: Archive, name: string, kind: PartKind, parser: SaxesParser): Promise<void> {
  const nothing = () => undefined;
  for await (const piece of archive.read(name, kind, parser, nothing)) void piece;
}

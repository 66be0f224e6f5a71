import { crc32 } from 'node:zlib';

/** A file of a ZIP. Its parts are made one at a time, as fast as the ZIP is taken. */
export type ZipFile = { name: string; parts: AsyncIterable<string | Uint8Array> };

const LARGE = 0xffffffff;
/** 1 January 1980: packs of the same entries have the same bytes. */
const DAY = 0x21;
/** Names are UTF-8, and sizes follow the bytes. */
const FLAGS = 0x0808;
/** The version of the format that allows sizes above 4 GB. */
const VERSION = 45;

type Packed = { name: Buffer; crc: number; size: number; offset: number };

/**
 * Writes a ZIP of files of any size, without holding one of them in memory.
 * They are not compressed: a damaged byte damages one entry, and not all that follow.
 */
export async function* zipOf(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const packed: Packed[] = [];
  let offset = 0;
  for await (const { name, parts } of files) {
    const file: Packed = { name: Buffer.from(name), crc: 0, size: 0, offset };
    yield localHeader(file.name);
    for await (const part of parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      file.crc = crc32(bytes, file.crc);
      file.size += bytes.length;
      yield bytes;
    }
    yield descriptorOf(file);
    packed.push(file);
    offset += 30 + file.name.length + LOCAL_EXTRA + file.size + DESCRIPTOR;
  }
  const directory = Buffer.concat(packed.map(directoryEntry));
  yield Buffer.concat([directory, ...endOf(packed.length, directory.length, offset)]);
}

const LOCAL_EXTRA = 20;
const DESCRIPTOR = 24;

/** A file's header, before its size is known. Its empty extra field announces sizes of eight bytes. */
function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DAY, 12);
  header.writeUInt32LE(LARGE, 18);
  header.writeUInt32LE(LARGE, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(LOCAL_EXTRA, 28);
  return Buffer.concat([header, name, extraOf([0, 0])]);
}

function descriptorOf({ crc, size }: Packed): Buffer {
  const descriptor = Buffer.alloc(DESCRIPTOR);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeBigUInt64LE(BigInt(size), 8);
  descriptor.writeBigUInt64LE(BigInt(size), 16);
  return descriptor;
}

function directoryEntry({ name, crc, size, offset }: Packed): Buffer {
  const wide = [...(size >= LARGE ? [size, size] : []), ...(offset >= LARGE ? [offset] : [])];
  const extra = wide.length > 0 ? extraOf(wide) : Buffer.alloc(0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(FLAGS, 8);
  entry.writeUInt16LE(DAY, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(Math.min(size, LARGE), 20);
  entry.writeUInt32LE(Math.min(size, LARGE), 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(Math.min(offset, LARGE), 42);
  return Buffer.concat([entry, name, extra]);
}

function extraOf(sizes: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * sizes.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * sizes.length, 2);
  for (const [at, size] of sizes.entries()) extra.writeBigUInt64LE(BigInt(size), 4 + 8 * at);
  return extra;
}

/** The end of the directory, with its longer form before it where a number does not fit. */
function endOf(count: number, length: number, offset: number): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(Math.min(offset, LARGE), 16);
  if (offset < LARGE) return [end];
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(VERSION, 12);
  large.writeUInt16LE(VERSION, 14);
  for (const [at, value] of [count, count, length, offset].entries())
    large.writeBigUInt64LE(BigInt(value), 24 + 8 * at);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return [large, locator, end];
}

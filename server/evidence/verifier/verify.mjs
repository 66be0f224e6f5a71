// Checks an evidence pack of Fairlead: `node verify.mjs PACK.zip`. It needs Node and nothing else, and asks no server.
// Exit code 0: everything fits. 1: something does not, and the first entry that does not fit is named. docs: README.txt in the pack.
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, createInflateRaw } from 'node:zlib';

const FORMAT = 'fairlead evidence 1';
const NOTHING = '0'.repeat(64);
/** All files of a pack but proof.json, which holds their hashes. */
const HASHED_FILES = ['README.txt', 'entries.csv', 'entries.json', 'summary.html', 'verify.mjs'];
const FILES = [...HASHED_FILES, 'proof.json'];
const NOT_PROVEN =
  'summary.html, README.txt, the question and the time are only as trustworthy as who gave you the pack: compare them with the entries.';
const HIDDEN = 'The ZIP holds more than its directory names.';
const TWO_DIRECTORIES = 'The ZIP names its directory in two ways.';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** The earlier entry that an entry names besides the previous one: its position without its lowest bit. */
export const skipOf = (position) => {
  let bit = 1;
  while (position % (bit * 2) === 0) bit *= 2;
  return position - bit;
};

/** SHA-256 of the hashes of an entry's sealed parts; "-" without any. */
export const partsHashOf = (parts) => (parts.length === 0 ? '-' : sha256(parts.map(({ hash }) => hash).join('\n')));

/** SHA-256 of what an entry says, one thing a line. */
export const contentHashOf = ({ ticket, at, kind, actor, list, parts, facts }) =>
  sha256([FORMAT, ticket, at, kind, actor ?? '-', list ?? '-', partsHashOf(parts), JSON.stringify(facts)].join('\n'));

/** The hash by which all later entries know an entry. */
export const hashOf = ({ position, previous, skip, content }) => sha256([position, previous, skip, content].join('\n'));

/** An entry as one line of entries.json. Any other line for the same entry is refused. */
export const lineOf = ({ position, ticket, at, kind, actor, list, facts, parts, previous, skip, hash }) =>
  JSON.stringify({
    position,
    ticket,
    at,
    kind,
    actor,
    list,
    facts,
    parts: parts.map((part) => ({ hash: part.hash, state: part.state, text: part.text })),
    previous,
    skip,
    hash,
  });

/** A link as one line of proof.json: an entry outside the pack, whose hash leads from one in the pack to the head. */
export const linkOf = ({ position, previous, skip, content }) => JSON.stringify({ position, previous, skip, content });

/** Kinds in words, as entries.csv names them. To reword one would refuse earlier packs. */
export const LABELS = {
  'scrub.replied': 'Provider answered a phone check',
  'scrub.verdict': 'Phone checked',
  'verdict.reused': 'Earlier verdict used again',
  'verdict.given': 'Verdict given for a call',
  'verdict.shown': 'Verdicts shown',
  'verdict.counted': 'Verdicts counted',
  'suppression.added': 'Contact suppressed',
  'suppression.imported': 'Contacts suppressed together',
  'suppression.removed': 'Suppression removed',
  'rules.overridden': 'Calling rules changed',
  'export.begun': 'Export begun',
  'export.leads': 'Leads handed out by an export',
  'export.ended': 'Export ended',
  'export.again': 'Kept export downloaded again',
  'call.logged': 'Call outcome',
  'call.taken_back': 'Call outcome taken back',
  'contact.erased': 'Contact erased, and held back for good',
  'evidence.erased': 'Personal data erased',
};

/** The beginning of entries.csv: a byte order mark and the names of its columns. */
export const CSV_HEAD =
  '\ufeffPosition,Time (UTC),What happened,Kind,Actor ID,List ID,Facts,Personal data,Parts erased,Parts withheld,Hash\r\n';

/** An entry as its row of entries.csv. Any other row for the same entry is refused. */
export function csvRowOf(entry) {
  const { position, at, kind, actor, list, facts, parts, hash } = entry;
  const count = (state) => parts.filter((part) => part.state === state).length;
  const label = Object.hasOwn(LABELS, kind) ? LABELS[kind] : kind.replaceAll(/[._]/g, ' ');
  const said = openTexts(entry).join('\n');
  const [erased, withheld] = [count('erased'), count('withheld')];
  const cells = [
    position,
    at,
    label,
    kind,
    actor ?? '',
    list ?? '',
    JSON.stringify(facts),
    said,
    erased,
    withheld,
    hash,
  ];
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\r\n`;
}

/** What the open parts of an entry say, without the salt and the hash of whom they are about. */
export const openTexts = ({ parts }) =>
  parts.flatMap(({ state, text }) =>
    state === 'open' && text ? [text.replace(/^\{"salt":"[^"]*",?(?:"about":"[^"]*",?)?/, '{')] : [],
  );

/** A cell in quotes where it needs them, and with an apostrophe before what a spreadsheet would run. */
function csvCell(cell) {
  const safe = /^\+?[\d\s().-]+$/.test(cell) ? cell : withoutFormula(cell);
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormula(cell) {
  const inside = cell.replace(/([;\t]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu, "$1'");
  return /^[\s\p{Cc}]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u.test(cell) ? `'${inside}` : inside;
}

const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isId = (value) => value === null || (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value));

/** Joined to one text, a list of one thing has the hash of that thing, and "-" that of nothing. */
const isPlain = ({ ticket, at, kind, actor, list }) =>
  typeof ticket === 'number' && typeof at === 'string' && typeof kind === 'string' && isId(actor) && isId(list);

/** Returns what is wrong with an entry and its line; undefined when nothing is. */
export function faultOfEntry(entry, line) {
  if (!Array.isArray(entry.parts) || lineOf(entry) !== line) return 'its text was changed';
  if (!isPlain(entry)) return 'a value of it is of another kind';
  for (const { hash, state, text } of entry.parts) {
    if (!isHash(hash)) return 'a hash of a part of it is none';
    if (state === 'open' ? typeof text !== 'string' || sha256(text) !== hash : text !== null)
      return 'a sealed part of it is not the one that was sealed';
    if (!['open', 'withheld', 'erased'].includes(state)) return 'a part of it is in no known state';
  }
  return hashOf({ ...entry, content: contentHashOf(entry) }) === entry.hash
    ? undefined
    : 'its content does not have its hash';
}

/**
 * Checks that entries and links are one chain. They are added in the order of their positions.
 * - `add` returns what is wrong with one, as {position, why}; undefined when nothing is.
 * - `end` returns the same for the whole, once its head is known.
 * - It remembers one entry for each bit of a position, however long the chain is.
 */
export function createChainCheck() {
  let last;
  /** By the lowest bit of their position, the last of each: only these can still be named by one that follows. */
  const named = new Map();
  const bitOf = (position) => position - skipOf(position);
  const compare = (position, stated) => {
    if (position === 0) return stated === NOTHING ? undefined : 'nothing can come before the first entry';
    const earlier = last?.position === position ? last : named.get(bitOf(position));
    if (earlier?.position !== position) return undefined;
    earlier.isNamed = true;
    return earlier.hash === stated ? undefined : `it does not follow entry ${position} as that stands here`;
  };
  const left = (node) =>
    node && !node.isNamed ? fault(node.position, 'no later entry of the pack leads to it') : undefined;
  return {
    add({ position, previous, skip, content }) {
      if (!Number.isSafeInteger(position) || position < 1) return fault(position, 'it has no position');
      if (last && position <= last.position) return fault(position, 'it stands at the wrong place');
      const node = { position, hash: hashOf({ position, previous, skip, content }), isNamed: false };
      const why = compare(position - 1, previous) ?? compare(skipOf(position), skip);
      if (why) return fault(position, why);
      const replaced = named.get(bitOf(position));
      named.set(bitOf(position), node);
      const lost = left(replaced);
      last = node;
      return lost;
    },
    end(head) {
      if (head.position === 0 || !last)
        return last || head.position !== 0 || head.hash !== NOTHING
          ? fault(head.position, 'the head is missing')
          : undefined;
      if (last.position !== head.position || last.hash !== head.hash)
        return fault(last.position, `the head is said to be entry ${head.position} with another hash`);
      last.isNamed = true;
      return [...named.values()]
        .sort((a, b) => a.position - b.position)
        .map(left)
        .find(Boolean);
    },
  };
}

const fault = (position, why) => ({ position, why });

/**
 * Checks a pack: a ZIP, or the folder that it was extracted to.
 * - Returns {ok: true, entries, head, hasHead} or {ok: false, position, why}; `position` is undefined where no entry is at fault.
 * - `wanted`: a hash from elsewhere, such as a mail or an export's companion; `hasHead` says whether the pack's chain has it.
 */
export async function verifyPack(path, wanted) {
  let pack;
  try {
    pack = await openPack(path);
    return await checkPack(pack, wanted);
  } catch (error) {
    return { ok: false, ...fault(undefined, error instanceof Error ? error.message : String(error)) };
  } finally {
    await pack?.close();
  }
}

async function checkPack(pack, wanted) {
  const hashes = new Map();
  const read = (name) => linesOf(pack.read(name), (hash) => hashes.set(name, hash));
  const [links, lines] = [read('proof.json'), read('entries.json')];
  try {
    return await checkLines(pack, { links, lines, hashes, wanted });
  } finally {
    // Closes the files of what was not read to its end.
    await Promise.all([links.return(), lines.return()]);
  }
}

async function checkLines(pack, { links, lines, hashes, wanted }) {
  const proof = readProof((await links.next()).value);
  const nextLink = async () => {
    const line = (await links.next()).value;
    if (line === undefined) return undefined;
    const link = parse(line);
    if (!link || linkOf(link) !== line) throw new Error(`A link of the proof was changed: ${line.slice(0, 60)}`);
    return link;
  };
  const chain = createChainCheck();
  const csv = createHash('sha256').update(CSV_HEAD);
  let entries = 0;
  let before = 0;
  let hasHead = wanted === undefined || proof.head.hash === wanted;
  let link = await nextLink();
  for (;;) {
    let line;
    try {
      line = (await lines.next()).value;
    } catch (error) {
      return {
        ok: false,
        ...fault(undefined, `the entry after ${before || 'the beginning'} cannot be read: ${error.message}`),
      };
    }
    if (line === undefined) break;
    const entry = parse(line);
    if (!entry) return { ok: false, ...fault(positionIn(line) ?? before + 1, 'it cannot be read') };
    for (; link && link.position < entry.position; link = await nextLink()) {
      hasHead ||= hashOf(link) === wanted;
      const wrong = chain.add(link);
      if (wrong) return { ok: false, ...wrong };
    }
    const why = faultOfEntry(entry, line);
    const wrong = why
      ? fault(positionIn(line) ?? before + 1, why)
      : chain.add({ ...entry, content: contentHashOf(entry) });
    if (wrong) return { ok: false, ...wrong };
    csv.update(csvRowOf(entry));
    hasHead ||= entry.hash === wanted;
    before = entry.position;
    entries += 1;
  }
  for (; link; link = await nextLink()) {
    hasHead ||= hashOf(link) === wanted;
    const wrong = chain.add(link);
    if (wrong) return { ok: false, ...wrong };
  }
  const wrong = chain.end(proof.head);
  if (wrong) return { ok: false, ...wrong };
  if (entries !== proof.entries)
    return { ok: false, ...fault(undefined, `the pack should hold ${proof.entries} entries, and holds ${entries}`) };
  const why = await faultOfFiles(pack, { files: proof.files, hashes, csvHash: csv.digest('hex') });
  if (why) return { ok: false, ...fault(undefined, why) };
  return { ok: true, entries, head: proof.head, hasHead };
}

async function faultOfFiles(pack, { files, hashes, csvHash }) {
  for (const name of HASHED_FILES) {
    const found = hashes.get(name) ?? (await hashFile(pack.read(name)));
    if (name === 'entries.csv' && found !== csvHash) return 'entries.csv does not say what entries.json says';
    if (found !== files[name]) return `${name} is not the file that was packed`;
  }
  return undefined;
}

function readProof(line) {
  const proof = line === undefined ? undefined : parse(line);
  if (proof?.format !== FORMAT || !proof.head || !proof.files)
    throw new Error('proof.json is not the proof of an evidence pack.');
  requireNames(Object.keys(proof.files), HASHED_FILES, 'the proof');
  return proof;
}

/** @throws unless these are the wanted names, each once. */
function requireNames(names, wanted, where) {
  const wrong = names.find((name, at) => !wanted.includes(name) || names.indexOf(name) !== at);
  if (wrong !== undefined) throw new Error(`${wrong} does not belong in ${where}, or stands there twice.`);
  const missing = wanted.find((name) => !names.includes(name));
  if (missing !== undefined) throw new Error(`${missing} is missing in ${where}.`);
}

/** Reads the position from a damaged line. */
const positionIn = (line) => /^\{"position":(\d+),/.exec(line)?.slice(1).map(Number)[0];

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The lines of a JSON array, or what follows its first line, without the commas between them. */
async function* linesOf(bytes, onEnd) {
  const hash = createHash('sha256');
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    hash.update(chunk);
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.toString('utf8', 0, rest[end - 1] === 44 ? end - 1 : end);
      rest = rest.subarray(end + 1);
      if (line !== '[' && line !== ']') yield line;
    }
  }
  if (rest.length > 0) throw new Error('its last line is not complete');
  onEnd(hash.digest('hex'));
}

async function hashFile(bytes) {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** Opens a pack, which is a folder or a ZIP. */
async function openPack(path) {
  if ((await stat(path)).isDirectory())
    return { read: (name) => readFile(join(path, basename(name))), close: async () => {} };
  const zip = await open(path);
  try {
    const { files, start } = await readDirectory(zip, (await zip.stat()).size);
    const names = files.map(({ name }) => name);
    requireNames(names, FILES, 'the ZIP');
    requireNoMore(files, start);
    return { read: (name) => readZipped(zip, files[names.indexOf(name)]), close: () => zip.close() };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

async function* readFile(path) {
  const file = await open(path);
  try {
    yield* file.createReadStream();
  } finally {
    await file.close();
  }
}

async function bytesAt(zip, position, length) {
  const { bytesRead, buffer } = await zip.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error('The ZIP is cut off.');
  return buffer;
}

/**
 * Reads where each file and the directory are, from the end of a ZIP. Sizes above 4 GB are in an extra field.
 * Programs differ in which of two answers they take: whatever a ZIP says twice must be the same.
 */
async function readDirectory(zip, size) {
  const tailLength = Math.min(size, 65_557);
  const tail = await bytesAt(zip, size - tailLength, tailLength);
  const end = tail.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (end < 0 || end + 22 !== tailLength) throw new Error('This is not a ZIP, or it is cut off.');
  const stated = [tail.readUInt16LE(end + 8), tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12)];
  stated.push(tail.readUInt32LE(end + 16));
  let [values, ends] = [stated, size - 22];
  const locator = end - 20;
  if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
    ends = size - 98;
    const large = await bytesAt(zip, ends, 56);
    values = [24, 32, 40, 48].map((at) => Number(large.readBigUInt64LE(at)));
    const isSame = stated.every((value, at) => value === values[at] || value === (at < 2 ? 0xffff : 0xffffffff));
    const isThere = large.readUInt32LE(0) === 0x06064b50 && Number(tail.readBigUInt64LE(locator + 8)) === ends;
    if (!isSame || !isThere) throw new Error(TWO_DIRECTORIES);
  }
  const [countHere, count, length, start] = values;
  if (countHere !== count) throw new Error(TWO_DIRECTORIES);
  if (start + length !== ends) throw new Error(HIDDEN);
  const directory = await bytesAt(zip, start, length);
  const files = [];
  let at = 0;
  for (let left = count; left > 0; left -= 1) {
    if (at + 46 > length || directory.readUInt32LE(at) !== 0x02014b50)
      throw new Error('The directory of the ZIP is damaged.');
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset));
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    requirePlain(extra, noteLength);
    requireKnown(name, directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10));
    const [packed, whole, offset] = sizesOf(
      [20, 24, 42].map((field) => directory.readUInt32LE(at + field)),
      extra,
    );
    const file = {
      name,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed,
      whole,
      offset,
    };
    files.push({ ...file, start: await startOf(zip, file) });
    at += 46 + nameLength + extraLength + noteLength;
  }
  if (at !== length) throw new Error(HIDDEN);
  return { files, start };
}

/** Where a file's bytes begin: behind a header that says of it what the directory says. */
async function startOf(zip, { name, method, crc, packed, whole, offset }) {
  const header = await bytesAt(zip, offset, 30);
  const [nameLength, extraLength] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const behind = await bytesAt(zip, offset + 30, nameLength + extraLength);
  if (header.readUInt32LE(0) !== 0x04034b50 || behind.toString('utf8', 0, nameLength) !== name)
    throw new Error(`The ZIP names ${name} in two ways.`);
  const extra = behind.subarray(nameLength);
  requirePlain(extra, 0);
  requireKnown(name, header.readUInt16LE(6), header.readUInt16LE(8));
  // Where sizes follow the bytes, none stand here.
  const isSized = (header.readUInt16LE(6) & 8) === 0;
  const [packedHere, wholeHere] = isSized
    ? sizesOf(
        [18, 22, 0].map((at) => header.readUInt32LE(at)),
        extra,
      )
    : [];
  const isSame = !isSized || (packedHere === packed && wholeHere === whole && header.readUInt32LE(14) === crc);
  if (!isSame || header.readUInt16LE(8) !== method) throw new Error(`The ZIP tells of ${name} in two ways.`);
  return offset + 30 + nameLength + extraLength;
}

/** How well it is compressed, that sizes follow the bytes, and that names are UTF-8. Others speak of encryption and patches. */
const PLAIN_FLAGS = 0x080e;

/** @throws unless a file is stored or deflated, and not encrypted: other programs may unpack the same bytes to something else. */
function requireKnown(name, flags, method) {
  if ((flags & ~PLAIN_FLAGS) !== 0 || (method !== 0 && method !== 8))
    throw new Error(`The ZIP holds ${name} in a form that programs may read in two ways.`);
}

/** Extra fields with sizes, times and owners. Others may give a file another name, or hide one. */
const PLAIN_EXTRAS = [0x0001, 0x000a, 0x5455, 0x5855, 0x7855, 0x7875];
const LONGEST_EXTRA = 100;

/** @throws unless what stands behind a file's name says nothing but that. */
function requirePlain(extra, noteLength) {
  let at = 0;
  while (at + 4 <= extra.length && PLAIN_EXTRAS.includes(extra.readUInt16LE(at))) at += 4 + extra.readUInt16LE(at + 2);
  if (at !== extra.length || extra.length > LONGEST_EXTRA || noteLength > 0) throw new Error(HIDDEN);
}

/** @throws when a file may hide between the others. Only sizes of at most 24 bytes stand behind a file. */
function requireNoMore(files, directoryStart) {
  const inOrder = files.toSorted((a, b) => a.offset - b.offset);
  const ends = [...inOrder.slice(1).map(({ offset }) => offset), directoryStart];
  const gaps = inOrder.map(({ start, packed }, at) => ends[at] - start - packed);
  if (inOrder[0].offset !== 0 || gaps.some((gap) => gap < 0 || gap > 24)) throw new Error(HIDDEN);
}

function sizesOf([packed, whole, offset], extra) {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    // In this order, and only those that do not fit.
    const wide = (value) => {
      if (value !== 0xffffffff) return value;
      from += 8;
      return Number(extra.readBigUInt64LE(from - 8));
    };
    const wholeSize = wide(whole);
    const packedSize = wide(packed);
    return [packedSize, wholeSize, wide(offset)];
  }
  return [packed, whole, offset];
}

/**
 * The bytes of a file in a ZIP.
 * @throws after the last byte when they are not those that were packed.
 */
async function* readZipped(zip, file) {
  const stored = piecesOf(zip, file.start, file.packed);
  let check = 0;
  let size = 0;
  for await (const chunk of file.method === 0 ? stored : inflate(stored, file.packed)) {
    check = crc32(chunk, check);
    size += chunk.length;
    yield chunk;
  }
  if (check !== file.crc || size !== file.whole) throw new Error(`${file.name} is damaged.`);
}

async function* piecesOf(zip, start, length) {
  for (let at = 0; at < length; at += 262_144) yield await bytesAt(zip, start + at, Math.min(262_144, length - at));
}

/** @throws when anything stands behind the end of what was packed. */
async function* inflate(chunks, length) {
  const inflating = createInflateRaw();
  const feed = async () => {
    for await (const chunk of chunks)
      if (!inflating.write(chunk)) await new Promise((go) => inflating.once('drain', go));
    inflating.end();
  };
  feed().catch((error) => inflating.destroy(error));
  yield* inflating;
  if (inflating.bytesWritten !== length) throw new Error(HIDDEN);
}

/** `verify.mjs PACK [--head HASH]` */
export async function main(args) {
  const at = args.indexOf('--head');
  const wanted = at < 0 ? undefined : args[at + 1];
  const [file] = at < 0 ? args : args.filter((_, index) => index !== at && index !== at + 1);
  if (!file || (at >= 0 && !/^[0-9a-f]{64}$/.test(wanted ?? ''))) {
    console.error('Usage: node verify.mjs PACK.zip [--head HASH]');
    return 1;
  }
  const result = await verifyPack(file, wanted);
  if (!result.ok) {
    console.error(
      `${result.position === undefined ? 'Does not fit' : `Entry ${result.position} does not fit`}: ${result.why}`,
    );
    return 1;
  }
  const { entries, head, hasHead } = result;
  if (!hasHead) {
    console.error(
      `The entries fit, but none of them has the hash ${wanted}. Check it against a pack that was made to lead to its entry: see README.txt.`,
    );
    return 1;
  }
  console.log(
    `${entries} ${entries === 1 ? 'entry fits' : 'entries fit'} the chain whose head is entry ${head.position}: ${head.hash}`,
  );
  const condition = wanted === undefined ? ', if you know that hash from elsewhere' : '';
  console.log(`entries.json and entries.csv are proven${condition}. Entries may be left out. ${NOT_PROVEN}`);
  return 0;
}

const isStarted = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isStarted) process.exitCode = await main(process.argv.slice(2));

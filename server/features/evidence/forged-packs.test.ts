import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { eraseEvidence } from '#server/evidence/erase-evidence.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { verifyPack } from '#server/evidence/verifier/verify.mjs';
import type { Ctx } from '#server/http/context.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { folderForFile } from '#test/runner/after-file.ts';
import { packEvidence } from './pack-evidence.ts';
import { type ZipFile, zipOf } from './zip.ts';

type Packed = readonly (readonly [name: string, text: string])[];
type Proof = { files: Record<string, string>; question: unknown; madeAt: string };

const NAMES = ['README.txt', 'entries.json', 'entries.csv', 'summary.html', 'verify.mjs', 'proof.json'];
const folder = folderForFile();
const file = join(folder, 'pack.zip');
let product: Product;
let user: TestUser;
let whole: Packed;

beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  for (const value of ['303-555-0101', '303-555-0102', '303-555-0103'])
    await user.call(addSuppressionEndpoint, { kind: 'phone', value });
  await writeFile(file, packEvidence(ctx(), {}).parts);
  expect(spawnSync('unzip', ['-q', file, '-d', folder]).status).toBe(0);
  whole = NAMES.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
});

const ctx = (): Ctx => ({
  deps: product.deps,
  user: { userId: user.id, sessionId: '', email: user.email, role: 'user', aal: 'aal1', isFresh: true },
  requestId: '',
  log: product.deps.log,
  signal: new AbortController().signal,
  ip: '',
});

/** Packs these files, and checks the ZIP. */
async function check(files: Packed) {
  await writeFile(file, zipOf(zipped(files)));
  return verifyPack(file);
}
async function* zipped(files: Packed): AsyncGenerator<ZipFile> {
  for (const [name, text] of files) yield { name, parts: one(text) };
}
async function* one(text: string): AsyncGenerator<string> {
  yield text;
}

/** The pack with another text of a file, and a proof that was made to fit. */
const forged = (forgedName: string, change: (text: string) => string): Packed => {
  const files = whole.map(([name, text]) => [name, name === forgedName ? change(text) : text] as const);
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const hashes = files.filter(([name]) => name !== 'proof.json').map(([name, text]) => [name, hashOf(text)]);
  return withProof(files, (proof) => ({ ...proof, files: Object.fromEntries(hashes) }));
};
const withProof = (files: Packed, change: (proof: Proof) => object): Packed =>
  files.map(([name, text]) => {
    if (name !== 'proof.json') return [name, text];
    const [first = '', ...links] = text.split('\n');
    return [name, [JSON.stringify(change(JSON.parse(first))), ...links].join('\n')];
  });

test('a pack that was packed again as it was still fits', async () => {
  expect(await check(whole)).toMatchObject({ ok: true, entries: 3 });
  expect(
    spawnSync('zip', ['-q', '-j', join(folder, 'again.zip'), ...NAMES.map((name) => join(folder, name))]).status,
  ).toBe(0);
  expect(await verifyPack(join(folder, 'again.zip'))).toMatchObject({ ok: true, entries: 3 });
});

test.each<[string, (csv: string) => string]>([
  ['a number', (csv) => csv.replace('5550102', '5550199')],
  ['a label', (csv) => csv.replace('Contact suppressed', 'Suppression removed')],
  ['a row less', (csv) => csv.split('\r\n').toSpliced(2, 1).join('\r\n')],
  ['a row more', (csv) => `${csv}4,never called\r\n`],
  ['a column', (csv) => csv.replace('Facts', 'Lies')],
])('entries.csv with %s that entries.json does not have is refused, whatever the proof says', async (_, change) => {
  expect(await check(forged('entries.csv', change))).toEqual({
    ok: false,
    position: undefined,
    why: 'entries.csv does not say what entries.json says',
  });
});

test.each<[string, (hashes: Proof['files']) => Proof['files'], string]>([
  ['no hash', () => ({}), 'README.txt is missing in the proof.'],
  ['no hash of the summary', ({ 'summary.html': _, ...others }) => others, 'summary.html is missing in the proof.'],
  [
    'one more hash',
    (hashes) => ({ ...hashes, 'more.html': 'ab' }),
    'more.html does not belong in the proof, or stands there twice.',
  ],
])('a proof with %s is refused', async (_, change, why) => {
  const files = withProof(whole, (proof) => ({ ...proof, files: change(proof.files) }));
  expect(await check(files)).toMatchObject({ ok: false, why });
});

test.each(['never called', 'null'])('a proof with the line %s behind its links is refused', async (line) => {
  const files = whole.map(([name, text]) => [name, name === 'proof.json' ? `${text}${line}\n` : text] as const);
  expect(await check(files)).toMatchObject({ ok: false, why: `A link of the proof was changed: ${line}` });
});

test('a file too many, twice or missing in the ZIP is named', async () => {
  const twice = await check([...whole, ['summary.html', 'This number was never called']]);
  expect(twice).toMatchObject({ ok: false, why: 'summary.html does not belong in the ZIP, or stands there twice.' });
  const more = await check([['more.html', 'never called'], ...whole]);
  expect(more).toMatchObject({ ok: false, why: 'more.html does not belong in the ZIP, or stands there twice.' });
  const less = await check(whole.filter(([name]) => name !== 'summary.html'));
  expect(less).toMatchObject({ ok: false, why: 'summary.html is missing in the ZIP.' });
});

test('what the directory of the ZIP does not name is found', async () => {
  await check(whole);
  const bytes = readFileSync(file);
  const renamed = Buffer.from(bytes);
  renamed.write('summary.htm_', renamed.indexOf('summary.html', renamed.indexOf('\n]\n')));
  writeFileSync(file, renamed);
  expect(await verifyPack(file)).toMatchObject({ ok: false, why: 'The ZIP names summary.html in two ways.' });
  const end = bytes.length - 22;
  const start = bytes.readUInt32LE(end + 16);
  for (const [at, directory] of [
    [start, start + 90],
    [end, start],
  ] as const) {
    const hidden = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(90), bytes.subarray(at)]);
    hidden.writeUInt32LE(directory, hidden.length - 6);
    writeFileSync(file, hidden);
    expect(await verifyPack(file)).toMatchObject({ ok: false, why: 'The ZIP holds more than its directory names.' });
  }
  writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(60)]));
  expect(await verifyPack(file)).toMatchObject({ ok: false, why: 'This is not a ZIP, or it is cut off.' });
});

describe('programs differ in how they read a ZIP, and none may find other files than the verifier', () => {
  const HIDDEN = 'The ZIP holds more than its directory names.';
  const insert = (bytes: Buffer, at: number, added: Buffer) =>
    Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
  const startOf = (bytes: Buffer) => bytes.readUInt32LE(bytes.length - 6);
  const add = (bytes: Buffer, at: number, more: number) => bytes.writeUInt32LE(bytes.readUInt32LE(at) + more, at);
  const packed = async () => {
    await check(whole);
    return readFileSync(file);
  };
  /** As another program packs it: compressed, and with times in extra fields. */
  const again = () => {
    spawnSync('zip', ['-q', '-j', join(folder, 'other.zip'), ...NAMES.map((name) => join(folder, name))]);
    return readFileSync(join(folder, 'other.zip'));
  };
  const verify = (bytes: Buffer) => {
    writeFileSync(file, bytes);
    return verifyPack(file);
  };

  test('the directory names no more than it counts', async () => {
    const bytes = await packed();
    const end = bytes.length - 22;
    const seventh = insert(bytes, end, bytes.subarray(startOf(bytes), end - 55));
    add(seventh, seventh.length - 10, seventh.length - bytes.length);
    expect(await verify(seventh)).toMatchObject({ ok: false, why: expect.stringMatching(/directory/) });
    const one = insert(bytes, end, bytes.subarray(startOf(bytes), startOf(bytes) + 46 + 'README.txt'.length));
    add(one, one.length - 10, one.length - bytes.length);
    expect(await verify(one)).toMatchObject({ ok: false, why: HIDDEN });
  });

  test('an extra field or a note gives no file another name', async () => {
    const bytes = await packed();
    const name = Buffer.from('entries.csv');
    const extra = Buffer.concat([Buffer.from([0x75, 0x70, 5 + name.length, 0, 1, 0, 0, 0, 0]), name]);
    for (const field of [30, 32]) {
      const renamed = insert(bytes, startOf(bytes) + 46 + 'README.txt'.length, extra);
      renamed.writeUInt16LE(extra.length, startOf(bytes) + field);
      add(renamed, renamed.length - 10, extra.length);
      expect(await verify(renamed)).toMatchObject({ ok: false, why: HIDDEN });
    }
  });

  test('there are no two directories', async () => {
    const bytes = await packed();
    const end = bytes.length - 22;
    const large = Buffer.alloc(76);
    large.writeUInt32LE(0x06064b50, 0);
    for (const [at, value] of [6, 6, end - startOf(bytes), startOf(bytes)].entries())
      large.writeBigUInt64LE(BigInt(value), 24 + 8 * at);
    large.writeUInt32LE(0x07064b50, 56);
    large.writeBigUInt64LE(BigInt(end), 64);
    const both = insert(bytes, end, large);
    expect(await verify(both)).toMatchObject({ ok: true });
    both.writeUInt32LE(7, both.length - 6);
    expect(await verify(both)).toMatchObject({ ok: false, why: 'The ZIP names its directory in two ways.' });
  });

  test('no file is packed in a way that programs unpack to different bytes', async () => {
    const bytes = again();
    const directory = startOf(bytes);
    expect(bytes.readUInt16LE(8)).toBe(8);
    // Deflate64 begins as deflate does. An encrypted file, or a masked header, is read by a password.
    for (const [field, value] of [
      ['method', 9],
      ['flags', 0x1],
      ['flags', 0x2000],
    ] as const)
      for (const both of [true, false]) {
        const changed = Buffer.from(bytes);
        const at = field === 'method' ? 8 : 6;
        if (both) changed.writeUInt16LE(value, at);
        changed.writeUInt16LE(value, directory + at + 2);
        expect(await verify(changed)).toMatchObject({ ok: false, why: expect.stringContaining('README.txt') });
      }
  });

  test('nothing stands behind the end of a compressed file, and its header says what the directory says', async () => {
    const bytes = again();
    expect(await verify(bytes)).toMatchObject({ ok: true });
    const [start, last] = [startOf(bytes), bytes.lastIndexOf('proof.json')];
    const hidden = insert(bytes, start, Buffer.alloc(60));
    for (const at of [bytes.lastIndexOf('proof.json', last - 1) - 12, last + 60 - 26, hidden.length - 6])
      add(hidden, at, 60);
    expect(await verify(hidden)).toMatchObject({ ok: false, why: HIDDEN });
    for (const [from, to] of [
      [18, 1],
      [8, 0],
    ] as const) {
      const shorter = Buffer.from(bytes);
      shorter[from] = to;
      expect(await verify(shorter)).toMatchObject({ ok: false, why: 'The ZIP tells of README.txt in two ways.' });
    }
  });
});

test('what no entry can prove is said on the last line, and in the summary', async () => {
  expect(await check(forged('summary.html', () => 'This number was never called'))).toMatchObject({ ok: true });
  const verify = (...args: string[]) =>
    spawnSync(process.execPath, [join(folder, 'verify.mjs'), file, ...args], { encoding: 'utf8' });
  const unproven =
    'summary.html, README.txt, the question and the time are only as trustworthy as who gave you the pack';
  const { status, stdout } = verify();
  expect(status).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toContain(unproven);
  expect(stdout).toContain('entries.json and entries.csv are proven, if you know that hash from elsewhere.');
  const head = /[0-9a-f]{64}/.exec(stdout)?.[0] ?? '';
  expect(verify('--head', head).stdout).toContain('entries.json and entries.csv are proven.');
  expect(whole.find(([name]) => name === 'summary.html')?.[1]).toContain('Proven are entries.json and entries.csv.');
});

test('a pack is not finished when parts of it were erased meanwhile', async () => {
  const vault = await evidenceVault(product.deps.db, product.deps.vault);
  const packing = async () => {
    for await (const bytes of packEvidence(ctx(), {}).parts)
      if (Buffer.from(bytes).includes('entries.csv') && bytes.length < 100)
        await product.deps.db
          .transaction()
          .execute((tx) => eraseEvidence(tx, vault, { actor: user.id, subjects: ['phone:+13035550103'] }));
  };
  await expect(packing()).rejects.toThrow('Personal data was erased while this pack was made. Ask for it again.');
  // The erasure is an entry of its own.
  await writeFile(file, packEvidence(ctx(), {}).parts);
  expect(await verifyPack(file)).toMatchObject({ ok: true, entries: 4 });
});

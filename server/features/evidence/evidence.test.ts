import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import {
  EXPORT_HEADER,
  exportCompanionEndpoint,
  mailHeadEndpoint,
  type PackQuestion,
  packEvidenceEndpoint,
  readHeadEndpoint,
} from '#contract/calling/evidence.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { appendEvidence } from '#server/evidence/append-evidence.ts';
import { eraseEvidence } from '#server/evidence/erase-evidence.ts';
import type { EvidenceEntry } from '#server/evidence/evidence-entry.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { mailHeads } from '#server/evidence/mail-heads.ts';
import { type ProofEntry, verifyPack } from '#server/evidence/verifier/verify.mjs';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { folderForFile } from '#test/runner/after-file.ts';
import { linksBetween } from './pack-proof.ts';

let product: Product;
let user: TestUser;
let other: TestUser;
let admin: TestUser;
let listId: string;
const folder = folderForFile();
beforeAll(async () => {
  product = await startProduct();
  [user, other, admin] = await Promise.all([product.user(), product.user(), product.admin()]);
  await Promise.all([user.connect('searchbug', 'sandbox-evidence'), other.connect('searchbug', 'sandbox-others')]);
  const leads = Array.from({ length: 25 }, (_, at) => ({ phone: `(303) 555-01${String(at).padStart(2, '0')}` }));
  listId = await buildListOf(product.db, user.id, leads);
  const theirs = await buildListOf(product.db, other.id, [{ phone: '+1 303-555-0103' }]);
  await Promise.all([
    user.call(checkComplianceEndpoint, { list_id: listId }),
    other.call(checkComplianceEndpoint, { list_id: theirs }),
  ]);
});

let packs = 0;
async function ask(who: TestUser, question: PackQuestion): Promise<Response> {
  return product.request(packEvidenceEndpoint.path, {
    method: 'POST',
    headers: { authorization: await who.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
}
/** The pack as a file, checked, with its entries. */
async function pack(who: TestUser, question: PackQuestion) {
  const response = await ask(who, question);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  packs += 1;
  const file = join(folder, `${packs}.zip`);
  writeFileSync(file, bytes);
  const verified = await verifyPack(file);
  expect(verified).toMatchObject({ ok: true });
  const entries = entriesOf(bytes);
  expect(verified).toMatchObject({ entries: entries.length });
  return { file, bytes, entries, verified };
}
/** Files of a pack are stored as they are. */
function entriesOf(bytes: Buffer): ProofEntry[] {
  const text = bytes.toString('utf8');
  const from = text.indexOf('[\n', text.indexOf('entries.json'));
  return JSON.parse(text.slice(from, text.indexOf('\n]\n', from) + 3));
}
const kindsOf = (entries: readonly ProofEntry[]) =>
  Object.fromEntries([...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, some]) => [kind, some.length]));
const opened = (entries: readonly ProofEntry[]) =>
  entries.flatMap(({ parts }) => parts.flatMap(({ text }) => (text === null ? [] : [JSON.parse(text)])));

test('a check leaves one entry for each reply and for each number, with what was asked, said and paid', async () => {
  const { entries } = await pack(user, { listId });
  expect(kindsOf(entries)).toEqual({ 'scrub.replied': 2, 'scrub.verdict': 25 });
  const [reply] = entries.filter(({ kind }) => kind === 'scrub.replied');
  expect(reply).toMatchObject({
    actor: user.id,
    list: listId,
    facts: { provider: 'searchbug', numbers: expect.any(Number), listVersion: null, sandbox: true },
  });
  const facts = reply?.facts as { replySha256: string; costMicros: number; numbers: number; askedAt: string };
  const [{ reply: body }] = opened(reply ? [reply] : []);
  expect(createHash('sha256').update(body).digest('hex')).toBe(facts.replySha256);
  expect(facts.costMicros).toBe(facts.numbers * 20_000);
  const verdict = entries.find((entry) => opened([entry]).some(({ phone }) => phone === '+13035550103'));
  expect(verdict).toMatchObject({
    kind: 'scrub.verdict',
    facts: { verdict: expect.stringMatching(/^(safe|dnc|litigator)$/), costMicros: 20_000, call: expect.any(String) },
  });
  const stored = await sql`select from app.evidence where facts::text ~ '303' and kind = 'scrub.verdict'
    and facts::text ~ '555-?01'`.execute(product.db);
  expect(stored.rows).toEqual([]);
});

test('a verdict that was known is an entry of the list that it is used for, once', async () => {
  const second = await buildListOf(product.db, user.id, [{ phone: '+1 303-555-0104' }, { phone: '+1 303-555-0105' }]);
  await user.call(checkComplianceEndpoint, { list_id: second });
  const { entries } = await pack(user, { listId: second });
  expect(kindsOf(entries)).toEqual({ 'verdict.reused': 2 });
});

test('people get entries of their own, administrators everyone’s', async () => {
  const mine = await pack(user, { phone: '303.555.0103' });
  expect(mine.entries.every(({ actor }) => actor === user.id)).toBe(true);
  expect(opened(mine.entries).map(({ phone }) => phone)).toContain('+13035550103');
  expect(opened(mine.entries).some(({ phone }) => phone === '+13035550102')).toBe(false);
  expect((await ask(other, { listId })).status).toBe(404);
  expect((await ask(other, { exportId: user.id })).status).toBe(404);
  const all = await pack(admin, { phone: '303.555.0103' });
  expect(new Set(all.entries.map(({ actor }) => actor))).toEqual(new Set([user.id, other.id]));
  expect((await pack(admin, { userId: other.id })).entries.length).toBeGreaterThan(1);
  expect((await ask(user, { userId: other.id })).status).toBe(403);
  expect((await ask(user, { phone: 'none-at-all' })).status).toBe(422);
});

test('the suppression list is in the evidence, each contact in a part of its own', async () => {
  const { suppression } = await user.call(addSuppressionEndpoint, {
    kind: 'phone',
    value: '(303) 555-0190',
    note: 'said stop',
  });
  await user.call(importSuppressionsEndpoint, { csv: 'phone\n303-555-0191\n303-555-0192\n' });
  await admin.call(removeSuppressionEndpoint, { reason: 'wrong number' }, { id: suppression.id });
  const { entries } = await pack(admin, { phone: '303 555 0190' });
  expect(kindsOf(entries)).toEqual({ 'suppression.added': 1, 'suppression.removed': 1 });
  expect(opened(entries)).toMatchObject([
    { suppressed: 'phone:+13035550190' },
    { note: 'said stop' },
    { removed: 'phone:+13035550190' },
    { reason: 'wrong number' },
  ]);
  const imported = await pack(user, { phone: '303 555 0191' });
  expect(kindsOf(imported.entries)).toEqual({ 'suppression.imported': 1 });
  expect(imported.entries[0]?.parts.map(({ state }) => state).toSorted()).toEqual(['open', 'withheld']);
});

test('an export is in the evidence, and its companion names the entry', async () => {
  const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
  });
  const csv = await response.text();
  const exportId = response.headers.get(EXPORT_HEADER) ?? '';
  const companion = await user.call(exportCompanionEndpoint, undefined, { exportId });
  expect(companion).toMatchObject({
    exportId,
    list: { id: listId, name: 'Plumbers in Springfield, IL' },
    choices: {
      filter: 'all',
      compliance: 'all_leads',
      rights: 'all',
      callWithin: null,
      callTimes: false,
      selected: false,
    },
    leads: 25,
    sandbox: true,
    rulesAsOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  // The byte order mark is a part of the file, and `text` leaves it out.
  expect(companion.csvSha256).toBe(
    createHash('sha256')
      .update(`\ufeff${csv.replace(/^\ufeff/, '')}`)
      .digest('hex'),
  );
  const { entries, file } = await pack(user, { exportId });
  expect(kindsOf(entries)).toEqual({ 'export.begun': 1, 'export.leads': 1, 'export.ended': 1 });
  expect(opened(entries).filter(({ phone }) => phone)).toHaveLength(25);
  expect(await verifyPack(file, companion.evidence.hash)).toMatchObject({ ok: true, hasHead: true });
  expect(await verifyPack(file, 'a'.repeat(64))).toMatchObject({ ok: true, hasHead: false });
  const someone = other.call(exportCompanionEndpoint, undefined, { exportId });
  await expect(someone).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const found = await pack(user, { phone: '303-555-0107' });
  expect(kindsOf(found.entries)).toMatchObject({ 'export.leads': 1 });
});

test('the evidence of an export holds every choice that narrowed it', async () => {
  const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({
      filter: 'has_emails',
      compliance: 'clean',
      rights: 'export_safe',
      call_within: 24,
      call_times: true,
    }),
  });
  await response.text();
  const exportId = response.headers.get(EXPORT_HEADER) ?? '';
  const choices = {
    filter: 'has_emails',
    compliance: 'clean',
    rights: 'export_safe',
    callWithin: 24,
    callTimes: true,
    selected: false,
  };
  expect((await user.call(exportCompanionEndpoint, undefined, { exportId })).choices).toEqual(choices);
  expect((await pack(user, { exportId })).entries[0]?.facts).toMatchObject(choices);
});

test('an export of a list with any number of columns from people’s own files is in the evidence, their names sealed', async () => {
  const asked = (n: number) => `Question ${n}: how happy are you with us, and what should we do better from now on?`;
  const leads = [0, 1, 2].map((lead) => {
    const extra = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [asked(200 * lead + n), 'x']));
    return { phone: `303-555-016${lead}`, extra };
  });
  const wide = await buildListOf(product.db, user.id, leads);
  for (const rights of ['all', 'export_safe']) {
    const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId: wide }), {
      method: 'POST',
      headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
      body: JSON.stringify({ filter: 'all', compliance: 'all_leads', rights }),
    });
    expect(response.status).toBe(200);
    const [head = ''] = (await response.text()).split('\r\n');
    const exportId = response.headers.get(EXPORT_HEADER) ?? '';
    const { columns } = await user.call(exportCompanionEndpoint, undefined, { exportId });
    expect(columns).toEqual(Papa.parse<string[]>(head.replace(/^\ufeff/, '')).data[0]);
    expect(columns.filter((name) => name.startsWith('Question'))).toHaveLength(600);
    const { entries } = await pack(user, { exportId });
    expect(JSON.stringify(entries.map(({ facts }) => facts))).not.toContain('Question');
  }
});

test('an export is in the evidence of each number that left with it, also in columns from people’s own files', async () => {
  const extra = { 'Other Phone': '303-555-0172', Notes: 'or (303) 555-0173, or 303.555.0174' };
  const beside = await buildListOf(product.db, user.id, [{ phone: '303-555-0171', extra }]);
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: '303-555-0174' });
  const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId: beside }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
  });
  expect(await response.text()).toContain('0172');
  const left = async (phone: string) => kindsOf((await pack(user, { phone })).entries)['export.leads'];
  expect(await Promise.all(['303-555-0171', '303-555-0172'].map(left))).toEqual([1, 1]);
  // A column that names someone who is suppressed stays behind.
  expect(await Promise.all(['303-555-0173', '303-555-0174'].map(left))).toEqual([undefined, undefined]);
});

test('a period begins and ends with its moments', async () => {
  const { entries } = await pack(admin, {});
  const [first, last] = [entries[4], entries[9]];
  const within = await pack(admin, { from: first?.at ?? '', to: last?.at ?? '' });
  expect(within.entries.map(({ position }) => position)).toEqual([5, 6, 7, 8, 9]);
  expect((await pack(admin, { from: '2999-01-01T00:00:00Z' })).entries).toEqual([]);
  expect((await pack(admin, { to: '2000-01-01T00:00:00Z' })).entries).toEqual([]);
});

test.each<[PackQuestion, string]>([
  [{ from: '2026-12-24T00:00:00Z', to: '2026-12-02T00:00:00Z' }, 'to: The last day is before the first day.'],
  [{ from: '2026-12-24T00:00:00Z', to: '2026-12-24T00:00:00Z' }, 'to: The last day is before the first day.'],
  [{ from: '0000-01-01T00:00:00Z' }, 'from must be a time such as 2026-11-21T09:00:00Z.'],
  [{ to: '9999-12-31T23:59:59-01:00' }, 'to must be a time such as 2026-11-21T09:00:00Z.'],
  [{ phone: '12' }, 'phone: Enter a phone number with its area code.'],
])('%j is refused in words', async (question, message) => {
  const response = await ask(user, question);
  expect([response.status, await response.json()]).toMatchObject([422, { message }]);
});

test('a byte that is flipped anywhere in an entry is found, and its entry is named', async () => {
  const { bytes, entries, file } = await pack(user, { listId });
  const [start, end] = [bytes.indexOf('{"position":'), bytes.indexOf('\n]\n')];
  const middle = entries[12]?.position;
  const line = bytes.indexOf(`{"position":${middle},`);
  const lineEnd = bytes.indexOf('\n', line);
  expect(line).toBeGreaterThan(start);
  expect(lineEnd).toBeLessThan(end);
  for (let at = line; at < lineEnd - 1; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    writeFileSync(file, damaged);
    const verdict = await verifyPack(file);
    expect(verdict, `byte ${at - line}`).toMatchObject({ ok: false });
    // A flipped digit of the position itself is found at the place where it stands.
    if (at - line > 30) expect(verdict, `byte ${at - line}`).toMatchObject({ position: middle });
  }
});

test('a byte that is flipped anywhere else in a pack is found as well', async () => {
  const { bytes, file } = await pack(user, { phone: '303.555.0106' });
  const files = ['README.txt', 'entries.csv', 'summary.html', 'verify.mjs', 'proof.json'];
  for (const name of files) {
    const damaged = Buffer.from(bytes);
    const at = damaged.indexOf(name) + name.length + 120;
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    writeFileSync(file, damaged);
    expect(await verifyPack(file), name).toMatchObject({ ok: false });
  }
  writeFileSync(file, bytes.subarray(0, bytes.length - 30));
  expect(await verifyPack(file)).toMatchObject({ ok: false, why: expect.stringContaining('cut off') });
});

test('an entry that was left out of a pack is missed where the others lead over it', async () => {
  const { entries, file } = await pack(admin, {});
  const unpack = join(folder, 'left-out');
  expect(spawnSync('unzip', ['-q', '-o', file, '-d', unpack]).status).toBe(0);
  const json = join(unpack, 'entries.json');
  const lines = readFileSync(json, 'utf8').split('\n');
  // The first line is the bracket.
  writeFileSync(json, lines.toSpliced(7, 1).join('\n'));
  expect(entries[6]?.position).toBe(7);
  expect(await verifyPack(unpack)).toMatchObject({ ok: false });
  writeFileSync(json, lines.toSpliced(7, 2, lines[8] ?? '', lines[7] ?? '').join('\n'));
  expect(await verifyPack(unpack)).toMatchObject({ ok: false, position: 7 });
});

test('the pack checks itself with nothing but Node, and the command does the same', async () => {
  const { file, bytes, entries, verified } = await pack(user, { listId });
  const unpack = join(folder, 'unpacked');
  expect(spawnSync('unzip', ['-q', '-o', file, '-d', unpack]).status).toBe(0);
  const alone = spawnSync(process.execPath, ['verify.mjs', '.'], { cwd: unpack, encoding: 'utf8' });
  expect(alone).toMatchObject({ status: 0, stdout: expect.stringContaining(`${entries.length} entries fit`) });
  const command = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/verify-evidence.mjs', ...args], { encoding: 'utf8' });
  const head = verified.ok ? verified.head.hash : '';
  expect(command(file, '--head', head)).toMatchObject({ status: 0 });
  expect(command(file, '--head', 'b'.repeat(64))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('none of them'),
  });
  const damaged = Buffer.from(bytes);
  const at = bytes.indexOf('"verdict":"') + 12;
  damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
  writeFileSync(file, damaged);
  const first = entries.find(({ kind }) => kind === 'scrub.verdict')?.position;
  expect(command(file)).toMatchObject({ status: 1, stderr: expect.stringContaining(`Entry ${first} does not fit`) });
  const json = join(unpack, 'entries.json');
  writeFileSync(json, readFileSync(json, 'utf8').replace('"verdict":"', '"verdict":"x'));
  expect(command(unpack)).toMatchObject({ status: 1, stderr: expect.stringContaining(`Entry ${first} does not fit`) });
});

/** The page of a pack. */
async function summary(who: TestUser, question: PackQuestion): Promise<string> {
  const text = (await pack(who, question)).bytes.toString('utf8');
  return text.slice(text.indexOf('<!doctype html>'), text.indexOf('</html>'));
}

test('the summary says how a number stood on a day, and shows nothing as code', async () => {
  const phone = '(303) 555-0195';
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: phone, note: '<img src=x onerror=alert(1)>' });
  const page = await summary(admin, { phone });
  expect(page).toContain('On it since');
  expect(page).toContain('Never checked');
  expect(page).not.toContain('<img');
  expect(await summary(user, { phone, to: '2020-01-01T00:00:00Z' })).toContain('No entry under this number');
});

test('the state of a number does not depend on what else is asked for, nor on who suppressed it', async () => {
  const phone = '(303) 555-0198';
  const { suppression } = await other.call(addSuppressionEndpoint, { kind: 'phone', value: phone });
  const narrowed = { phone, from: '2999-01-01T00:00:00Z', listId, userId: user.id };
  for (const [who, question] of [
    [user, { phone }],
    [user, { phone, from: '2999-01-01T00:00:00Z', listId }],
    [admin, narrowed],
  ] as const)
    expect(await summary(who, question)).toContain('On it since');
  await admin.call(removeSuppressionEndpoint, { reason: 'wrong number' }, { id: suppression.id });
  expect(await summary(user, { phone })).toContain('Removed from it');
});

test('a number stands on the list since it was added, also where its owner asked for that later', async () => {
  const phone = '(303) 555-0186';
  const said = async (who: TestUser) =>
    /<td>Suppression list<.td><td>(.*?)<.td>/.exec(await summary(who, { phone }))?.[1];
  const { suppression } = await user.call(addSuppressionEndpoint, { kind: 'phone', value: phone });
  const first = await said(user);
  expect(first).toMatch(/^On it since .* \(entry \d+\)$/);
  const leads = [{ phone, compliance_status: 'safe' as const }];
  const [lead] = await readLeads(product.db, await buildListOf(product.db, other.id, leads, { sandbox: false }));
  const refused = () =>
    other.call(logCallEndpoint, { id: randomUUID(), leadId: lead?.id ?? '', outcome: 'do_not_call' });
  await refused();
  expect((await pack(admin, { phone })).entries.filter(({ kind }) => kind === 'suppression.added')).toHaveLength(2);
  expect(await said(user)).toBe(first);
  await admin.call(removeSuppressionEndpoint, { reason: 'another number was meant' }, { id: suppression.id });
  expect(await said(user)).toContain('Removed from it');
  await refused();
  const again = await said(user);
  expect(again).toMatch(/^On it since /);
  expect(again).not.toBe(first);
});

test('a suppression whose entry is gone after five years is still stated', async () => {
  const key = 'phone:+13035550199';
  const row = { kind: 'phone', key, source: 'hand', added_at: new Date('2020-03-01T12:00:00Z') };
  await product.db.insertInto('app.suppressions').values(row).execute();
  expect(await summary(user, { phone: '303 555 0199' })).toContain('On it since 2020-03-01 12:00:00 UTC');
  const before = { phone: '303 555 0199', to: '2020-01-01T00:00:00Z' };
  expect(await summary(user, before)).toContain('No entry under this number');
});

test('of an erased number no one is told that it was never checked or called', async () => {
  const phone = '(303) 555-0191';
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: phone });
  const before = new Date().toISOString();
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: phone });
  for (const [who, question] of [
    [admin, { phone }],
    [admin, { phone, to: before }],
    [user, { phone }],
  ] as const) {
    const page = await summary(who, question);
    expect(page).toMatch(/ast check<.td><td>Destroyed when the number was erased/);
    expect(page).toMatch(/ast call<.td><td>Destroyed when the number was erased/);
    expect(page).not.toContain('No entry under this number');
  }
});

test('checks of others are known to administrators alone, and no one is told that there are none', async () => {
  const phone = '303-555-0102';
  const page = await summary(other, { phone });
  expect(page).toContain('<td>Your last check</td><td>None. This pack does not show those of others.</td>');
  expect(page).not.toContain('Never checked');
  expect(await summary(admin, { phone, from: '2999-01-01T00:00:00Z' })).toMatch(
    /<td>Last check<.td><td>Sandbox only, which is invented: \w+.*, answered 20/,
  );
});

/** Writes entries about a number as they come, which is not the order in which it all happened. */
async function write(phone: string, entries: readonly EvidenceEntry[]): Promise<void> {
  const evidence = await evidenceVault(product.deps.db, product.deps.vault);
  const parts = [{ subjects: [`phone:${phone}`], content: { phone } }];
  for (const entry of entries)
    await product.deps.db.transaction().execute((tx) => appendEvidence(tx, evidence, [{ ...entry, parts }]));
}
const aCheck = (verdict: 'safe' | 'litigator', answeredAt: string, sandbox = false): EvidenceEntry => ({
  kind: 'verdict.reused',
  actor: user.id,
  list: listId,
  facts: {
    provider: 'searchbug',
    call: randomUUID(),
    run: randomUUID(),
    verdict,
    lists: null,
    answeredAt,
    expiresAt: null,
    sandbox,
  },
});
const aCall = (call: string, outcome: 'reached' | 'voicemail', calledAt: string, sandbox = false): EvidenceEntry => ({
  kind: 'call.logged',
  actor: user.id,
  facts: {
    outcome,
    calledAt,
    callBackAt: null,
    verdict: 'callable',
    lead: null,
    call,
    sandbox,
    rulesAsOf: '2026-11-20',
    rulesSha256: '0'.repeat(64),
  },
});
const takenBack = (call: string, what: 'outcome' | 'call'): EvidenceEntry => ({
  kind: 'call.taken_back',
  actor: user.id,
  facts: { what, outcome: null, call, lead: null, sandbox: false },
});

test('the state of a number is what happened last, whenever it was written down, and nothing invented', async () => {
  const [early, late, unmade] = [randomUUID(), randomUUID(), randomUUID()];
  await write('+13035550187', [
    aCheck('litigator', '2026-11-05T10:00:00Z'),
    // Someone else's older verdict, used again later; and one of the sandbox.
    aCheck('safe', '2026-11-01T10:00:00Z'),
    aCheck('safe', '2026-11-09T10:00:00Z', true),
    aCall(late, 'voicemail', '2026-11-07T10:00:00Z'),
    // Made offline before, and logged when the page was online again.
    aCall(early, 'reached', '2026-11-06T10:00:00Z'),
    takenBack(early, 'outcome'),
    takenBack(unmade, 'call'),
    aCall(randomUUID(), 'reached', '2026-11-08T10:00:00Z', true),
  ]);
  const page = await summary(admin, { phone: '+1 303-555-0187' });
  expect(page).toContain('<td>Last check</td><td>litigator, answered 2026-11-05 10:00:00 UTC');
  expect(page).toContain('<td>Last call</td><td>voicemail, 2026-11-07 10:00:00 UTC');

  await write('+13035550188', [
    aCheck('safe', '2026-11-09T10:00:00Z', true),
    aCall(randomUUID(), 'reached', '2026-11-08T10:00:00Z', true),
  ]);
  const invented = await summary(admin, { phone: '+1 303-555-0188' });
  expect(invented).toContain('<td>Last check</td><td>Sandbox only, which is invented: safe, answered 2026-11-09');
  expect(invented).toContain('<td>Last call</td><td>Practice only: reached, 2026-11-08');
});

test('the summary names lists and people, and writes facts and times for reading', async () => {
  const page = await summary(admin, { listId, userId: user.id });
  expect(page).toContain(`<td>Plumbers in Springfield, IL (${listId})</td>`);
  expect(page).toContain(`<td>${user.email} (${user.id})</td>`);
  expect(page).toContain(`by account <code>${user.id}</code>, list <code>${listId}</code></p>`);
  expect(page).toMatch(/<li>answered at: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC<.li>/);
  expect(page).toMatch(/<li>phone: \+1303\d{7}<.li>/);
  expect(page).not.toMatch(/\d\.\d{6}Z/);
  const gone = randomUUID();
  expect(await summary(admin, { listId: gone })).toContain(`A list that is gone (${gone})`);
});

test('an erased number is gone from every later pack, which still verifies', async () => {
  const evidence = await evidenceVault(product.deps.db, product.deps.vault);
  const before = await pack(user, { listId });
  const gone = await product.deps.db
    .transaction()
    .execute((tx) => eraseEvidence(tx, evidence, { actor: admin.id, subjects: ['phone:+13035550103'] }));
  expect(gone).toBeGreaterThan(3);
  expect((await pack(admin, { phone: '303.555.0103' })).entries).toEqual([]);
  const { bytes, entries } = await pack(user, { listId });
  const isSame = ({ hash }: ProofEntry, at: number) => hash === before.entries[at]?.hash;
  expect(entries.slice(0, before.entries.length).every(isSame)).toBe(true);
  expect(bytes.includes('3035550103')).toBe(false);
  expect(entries.some(({ parts }) => parts.some(({ state }) => state === 'erased'))).toBe(true);
});

test('a pack of an erased number says since when it is held back, by its entry', async () => {
  const value = '(303) 555-0196';
  await admin.call(eraseContactEndpoint, { kind: 'phone', value });
  const { bytes, entries } = await pack(admin, { phone: '+1 303 555 0196' });
  expect(kindsOf(entries)).toEqual({ 'contact.erased': 1 });
  expect(bytes.toString('utf8')).toMatch(/Erased and held back for good since \d{4}-/);
  expect(bytes.includes('3035550196')).toBe(false);
  const before = await pack(admin, { phone: value, to: '2020-01-01T00:00:00Z' });
  expect(before.bytes.toString('utf8')).toContain('No entry under this number');
  expect((await pack(admin, { phone: '303 555 0197' })).entries).toEqual([]);
});

test('administrators get the head by mail when they ask for it, once a day', async () => {
  const deps = product.workerDeps;
  const mails = () => product.mails.filter(({ to }) => to === admin.email);
  const send = () => mailHeads({ ...deps, sendMail: product.deps.sendMail }, new AbortController().signal);
  await send();
  expect(mails()).toEqual([]);
  await expect(user.call(mailHeadEndpoint, { on: true })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await admin.call(mailHeadEndpoint, { on: true })).toEqual({ on: true });
  const { head, mailed } = await admin.call(readHeadEndpoint);
  expect(mailed).toBe(true);
  expect((await user.call(readHeadEndpoint)).mailed).toBeNull();
  await send();
  await send();
  expect(mails()).toHaveLength(1);
  expect(mails()[0]?.text).toContain(head.hash);
  await admin.call(mailHeadEndpoint, { on: false });
  await sql`update app.evidence_mails set mailed_at = null`.execute(product.db);
  await send();
  expect(mails()).toHaveLength(1);
});

test('a pack leads to the entry of a mail that someone kept, and not to the hash of another chain', async () => {
  const { head } = await admin.call(readHeadEndpoint);
  await admin.call(addSuppressionEndpoint, { kind: 'email', value: 'later@evidence.example' });
  await admin.call(addSuppressionEndpoint, { kind: 'email', value: 'latest@evidence.example' });
  for (const question of [
    { exportId: randomUUID() },
    { listId },
    { from: head.at ?? '' },
    { phone: '303 555 0103' },
    {},
  ]) {
    const { file } = await pack(admin, { ...question, proveEntry: head.position });
    expect(await verifyPack(file, head.hash)).toMatchObject({ ok: true, hasHead: true });
    expect(await verifyPack(file, 'b'.repeat(64))).toMatchObject({ ok: true, hasHead: false });
  }
  // Someone without rights gets hashes alone.
  expect((await pack(other, { proveEntry: head.position })).entries.every(({ actor }) => actor === other.id)).toBe(
    true,
  );
  const missing = await ask(admin, { proveEntry: head.position + 1_000 });
  expect(await missing.json()).toMatchObject({
    error: 'VALIDATION_FAILED',
    message: `The chain has no entry ${(head.position + 1_000).toLocaleString('en-US')} yet: it ends with ${(head.position + 2).toLocaleString('en-US')}. If you hold its hash, entries were cut off.`,
  });
});

test('a hash that stands between the entries of a pack is found there', async () => {
  const question = { phone: '303 555 0188' };
  const { suppression } = await user.call(addSuppressionEndpoint, { kind: 'phone', value: question.phone });
  await user.call(addSuppressionEndpoint, { kind: 'email', value: 'between@evidence.example' });
  await admin.call(removeSuppressionEndpoint, { reason: 'by mistake' }, { id: suppression.id });
  const own = (await pack(admin, question)).entries.map(({ position }) => position);
  const { entries } = await pack(admin, {});
  const between = entries.find(({ position }) => position > (own[0] ?? 0) && !own.includes(position));
  expect(between?.position).toBeLessThan(own.at(-1) ?? 0);
  const { file } = await pack(admin, { ...question, proveEntry: between?.position });
  expect(await verifyPack(file, between?.hash)).toMatchObject({ ok: true, hasHead: true });
});

test.each([
  [2, 1],
  [1_000, 3],
  [5_000_000, 1],
  [4_194_304, 4_194_303],
  [4_999_999, 2_097_151],
])('a few links lead from entry %i to entry %i', (later, earlier) => {
  const way = [earlier, ...linksBetween(later, earlier), later];
  expect(way).toEqual([...new Set(way)].toSorted((a, b) => a - b));
  expect(way.length).toBeLessThan(270);
  for (const [at, position] of way.entries()) {
    if (at === 0) continue;
    expect([position - 1, position - (position & -position)]).toContain(way[at - 1]);
  }
});

test('the entries of someone who deleted their account stay, with their id alone', async () => {
  const leaver = await product.user();
  await leaver.call(addSuppressionEndpoint, { kind: 'phone', value: '303-555-0197' });
  await sql`delete from auth.users where id = ${leaver.id}`.execute(product.db);
  expect((await pack(admin, { userId: leaver.id })).entries).toMatchObject([
    { kind: 'suppression.added', actor: leaver.id },
  ]);
});

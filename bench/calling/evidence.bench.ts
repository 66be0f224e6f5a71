import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PackQuestion } from '#contract/calling/evidence.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { readHead } from '#server/evidence/read-head.ts';
import { verifyPack } from '#server/evidence/verifier/verify.mjs';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { buildListOf } from '#test/lists.ts';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { type Chain, fillChain, numberAt } from '../harness/fill-chain.ts';
import { plantFlips } from '../harness/flip-evidence.ts';
import { createGetter } from '../harness/http-get.ts';
import { residentBytes } from '../harness/process-figures.ts';
import { type Figure, report } from '../harness/report.ts';
import { inMs, median, percentile, timed } from '../harness/statistics.ts';

const ENTRIES = Number(process.env.BENCH_EVIDENCE_ENTRIES ?? 5_000_000);
/** Of a pack of one period. */
const PERIOD = Math.min(50_000, Math.floor(ENTRIES / 10));
const FLIPS_OF_A_KIND = 2;
const FLIPS_OF_A_PACK = 20;
const DATES = 40;
const LATENCY_MS = 200;
/** Each with evidence, and without it. */
const CALLS = 30;
const WARM_UP = 4;
const NUMBERS_OF_A_CALL = 20;
/** Verdicts are remembered, so each call needs other numbers: five calls have one area code. */
const AREA_CODES = ['217', '512', '303', '614', '918', '208', '402', '214', '713', '602', '206', '503', '312', '404'];

const fairlead = await startFairlead({
  latencyMs: LATENCY_MS,
  env: { NODE_OPTIONS: `--import=${new URL('../harness/evidence-on-signal.ts', import.meta.url)}` },
});
const folder = mkdtempSync(join(tmpdir(), 'fairlead-evidence-bench-'));
try {
  const { db, databaseUrl, vault } = fairlead;
  const evidence = await evidenceVault(db, vault);
  const filling = performance.now();
  const chain = await fillChain(databaseUrl, evidence, ENTRIES);
  const filled: Figure = {
    name: `filling ${ENTRIES} entries`,
    value: (performance.now() - filling) / 1_000,
    unit: 's',
  };
  report([filled]);
  report(await measureCalls(fairlead));
  report(await measureStates(fairlead, chain));
  report(await measurePack(fairlead, chain));
  report(await measureWhole(fairlead));
  report([await measureFlips(fairlead)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await fairlead.stop();
}

/** A paid call with evidence, and without it, in turn. */
async function measureCalls({ db, pid, session }: Fairlead): Promise<Figure[]> {
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let round = 0; round < 2 * (CALLS + WARM_UP); round += 1) {
    // As ABBA, so that neither always follows the other.
    const mode = [0, 3].includes(round % 4) ? 'with' : 'without';
    const rows = Array.from({ length: NUMBERS_OF_A_CALL }, (_, at) => ({
      phone: `+1 ${AREA_CODES[Math.floor(round / 5)]}-555-${String(100 + (round % 5) * NUMBERS_OF_A_CALL + at).padStart(4, '0')}`,
    }));
    const listId = await buildListOf(db, session.userId, rows, { sandbox: false });
    const before = await readHead(db);
    if (mode === 'without') process.kill(pid, 'SIGUSR2');
    await pause(1_000); // until the slots of the round before are free again
    const ms = await timed(() => session.post('/api/compliance', { list_id: listId }));
    if (mode === 'without') process.kill(pid, 'SIGUSR2');
    const added = (await readHead(db)).position - before.position;
    if (added !== (mode === 'with' ? NUMBERS_OF_A_CALL + 1 : 0))
      throw new Error(`A call ${mode} evidence left ${added} entries.`);
    if (round >= 2 * WARM_UP) times[mode].push(ms);
  }
  const [took, without] = [median(times.with), median(times.without)];
  return [
    {
      name: `a paid call of ${NUMBERS_OF_A_CALL} numbers, ${LATENCY_MS} ms, with evidence`,
      value: took / without,
      unit: '×',
      limit: ['≤', 1.05],
      measured: inMs(took),
      against: `without it, ${inMs(without)}`,
    },
  ];
}

/** How things stood on random days: of a number, of a list, and the head. */
async function measureStates(bench: Fairlead, chain: Chain): Promise<Figure[]> {
  const { get, close } = createGetter(bench.session.headers);
  const head = await sample(DATES * 5, () => get(`${bench.url}/api/evidence/head`));
  close();
  const place = () => 1 + Math.floor(Math.random() * ENTRIES);
  const dayOf = (position: number) => new Date(chain.timeOf(position)).toISOString();
  const number = await sample(DATES, () => packOf(bench, { phone: numberAt(place()), to: dayOf(place()) }));
  const list = await sample(DATES, () => {
    const at = place();
    const listId = chain.lists[Math.floor(Math.random() * chain.lists.length)];
    return packOf(bench, { ...(listId && { listId }), to: dayOf(at) });
  });
  const named = (name: string, times: readonly number[], limit?: Figure['limit']): Figure => ({
    name,
    value: percentile(times, 95) / 1_000,
    unit: 's',
    ...(limit && { limit }),
    measured: `p95; p50 ${inMs(median(times))}`,
  });
  return [
    named('the head of the chain', head, ['≤', 0.1]),
    named('a number on a random day, with its proof', number, ['≤', 2]),
    named('a list on a random day, with its proof', list, ['≤', 2]),
  ];
}

async function sample(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const ms = await timed(work);
    if (round >= 0) times.push(ms);
  }
  return times;
}

async function packOf({ db, url, session }: Fairlead, question: PackQuestion): Promise<Buffer> {
  await db.deleteFrom('app.rate_limits').execute();
  const response = await fetch(`${url}/api/evidence`, {
    method: 'POST',
    headers: { ...session.headers, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  if (!response.ok) throw new Error(`The pack answered ${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** A pack of a period: made, checked, and checked again with a byte flipped. */
async function measurePack(bench: Fairlead, chain: Chain): Promise<Figure[]> {
  const first = Math.floor(Math.random() * (ENTRIES - PERIOD));
  const [from, to] = [first, first + PERIOD].map((position) => new Date(chain.timeOf(position)).toISOString());
  const file = join(folder, 'pack.zip');
  const making = await timed(async () =>
    writeFile(file, await packOf(bench, { ...(from && { from }), ...(to && { to }) })),
  );
  let verified: Awaited<ReturnType<typeof verifyPack>> | undefined;
  const checking = await timed(async () => {
    verified = await verifyPack(file);
  });
  if (!verified?.ok) throw new Error(`The pack does not fit: ${JSON.stringify(verified)}`);
  const pack = await readFile(file);
  const lines = pack.indexOf('{"position":');
  const end = pack.indexOf('\n]\n', lines);
  let missed = 0;
  for (let flip = 0; flip < FLIPS_OF_A_PACK; flip += 1) {
    const at = lines + Math.floor(Math.random() * (end - lines));
    const line = pack.lastIndexOf('\n', at) + 1;
    const position = Number(/^\{"position":(\d+)/.exec(pack.toString('utf8', line, line + 40))?.[1]);
    const damaged = Buffer.from(pack);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << Math.floor(Math.random() * 8)), at);
    await writeFile(file, damaged);
    const found = await verifyPack(file);
    // Of a damaged position, only the place where it stands is known.
    const isNamed = !found.ok && (found.position === position || at - line < 20);
    if (!isNamed) missed += 1;
  }
  return [
    {
      name: `a pack of ${verified.entries} entries`,
      value: making / 1_000,
      unit: 's',
      measured: `${(pack.length / 1e6).toFixed(0)} MB`,
    },
    { name: 'checking it', value: checking / 1_000, unit: 's' },
    { name: `of ${FLIPS_OF_A_PACK} flipped bits in it, not named`, value: missed, unit: 'entries', limit: ['≤', 0] },
  ];
}

/** What `npm run verify-evidence` takes for the whole chain, in a process of its own. */
async function measureWhole({ databaseUrl, encryptionKey }: Fairlead): Promise<Figure[]> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: encryptionKey };
  const child = spawn(process.execPath, ['scripts/verify-evidence.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const started = performance.now();
  const ended = once(child, 'close');
  let most = 0;
  while (child.exitCode === null && child.signalCode === null) {
    most = Math.max(most, residentBytes(child.pid ?? 0));
    await Promise.race([ended, pause(250)]);
  }
  if (child.exitCode !== 0) throw new Error(`The chain does not fit: ${said}`);
  return [
    {
      name: 'checking the whole chain',
      value: (performance.now() - started) / 1_000,
      unit: 's',
      measured: said.trim(),
    },
    { name: 'its memory', value: most / 1_048_576, unit: 'MB', limit: ['≤', 400] },
  ];
}

/** Flips bits all over the chain, finds the first one, mends it, and goes on from there to the next. */
async function measureFlips({ db, vault }: Fairlead): Promise<Figure> {
  const evidence = await evidenceVault(db, vault);
  const { flips, mend } = await plantFlips(db, ENTRIES, FLIPS_OF_A_KIND);
  const missed: string[] = [];
  let from = 1;
  for (const flip of flips) {
    const found = await verifyChain(db, evidence, { from });
    if (found.ok || found.position !== flip.named)
      missed.push(`${flip.column} of ${flip.position}: ${found.ok ? 'fits' : `${found.position}, ${found.why}`}`);
    await mend(flip);
    from = Math.max(1, flip.position - 1);
  }
  const whole = await verifyChain(db, evidence, { from });
  if (!whole.ok) throw new Error(`The mended chain does not fit: ${JSON.stringify(whole)}`);
  return {
    name: `of ${flips.length} flipped bits in the database, not named`,
    value: missed.length,
    unit: 'entries',
    limit: ['≤', 0],
    ...(missed.length > 0 && { measured: missed.join('; ') }),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { residentBytes } from '../harness/process-figures.ts';
import { type Figure, report } from '../harness/report.ts';

const ROWS = 100_000;
const FEW_ROWS = 10_000;
const MB = 1_048_576;

const fairlead = await startFairlead();
try {
  report(await measure(fairlead));
} finally {
  await fairlead.stop();
}

async function measure({ url, session, pid }: Fairlead): Promise<Figure[]> {
  let peak = residentBytes(pid);
  const looking = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 50);
  const { few, peakOfFew, many } = await importBoth().finally(() => clearInterval(looking));
  return [
    {
      name: `CSV of ${ROWS} rows, from upload to list`,
      value: many.total,
      unit: 's',
      limit: ['≤', 30],
      measured: `${many.read.toFixed(1)} s to read, ${(many.total - many.read).toFixed(1)} s to import`,
    },
    {
      name: `time of a row, ${ROWS} rows against ${FEW_ROWS}`,
      value: many.total / few.total / (ROWS / FEW_ROWS),
      unit: '×',
      limit: ['≤', 2],
    },
    {
      name: 'memory at its peak, more than with a tenth of the rows',
      value: (peak - peakOfFew) / MB,
      unit: 'MB',
      limit: ['≤', 150],
    },
  ];

  async function importBoth() {
    const few = await importFile(FEW_ROWS);
    const peakOfFew = peak;
    return { few, peakOfFew, many: await importFile(ROWS) };
  }

  async function importFile(rows: number): Promise<{ read: number; total: number }> {
    const began = performance.now();
    const read = await fetch(`${url}/api/imports?name=bench.csv`, {
      method: 'POST',
      headers: { ...session.headers, 'content-type': 'text/csv' },
      body: fileOf(rows),
    });
    const { data } = (await read.json()) as { data: { importId: string; rows: number } };
    if (data.rows !== rows) throw new Error(`${data.rows} rows were read of ${rows}.`);
    const readIn = (performance.now() - began) / 1_000;
    const started = await fetch(`${url}/api/imports/${data.importId}/start`, {
      method: 'POST',
      headers: { ...session.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ duplicates: 'skip', listName: `Bench ${rows}` }),
    });
    if (started.status !== 202) throw new Error(await started.text());
    for (;;) {
      const answer = await fetch(`${url}/api/imports/${data.importId}`, { headers: session.headers });
      const { data: now } = (await answer.json()) as { data: { state: string; added: number } };
      if (now.state === 'completed') {
        if (now.added !== rows) throw new Error(`${now.added} leads of ${rows}.`);
        return { read: readIn, total: (performance.now() - began) / 1_000 };
      }
      if (now.state !== 'waiting' && now.state !== 'running') throw new Error(now.state);
      await sleep(100);
    }
  }
}

/** Businesses that a file of another length does not have, by phone, email or name: those would be skipped as duplicates. */
function fileOf(rows: number): string {
  const firstExchange = rows === ROWS ? 500 : 200;
  const lines = Array.from({ length: rows }, (_, at) => {
    const number = `${200 + (at % 700)}-${firstExchange + Math.floor(at / 700)}-${String(at % 10_000).padStart(4, '0')}`;
    const host = `invented-${rows}-${at}.example`;
    return `"Invented ${rows} ${at}, LLC",${number},hello@${host},www.${host},${at} Main St,Springfield,IL,62701,note ${at}`;
  });
  return `Company,Phone,Email,Website,Street,City,State,Zip,Note\n${lines.join('\n')}\n`;
}

import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Deps } from '#server/deps.ts';
import { holdErasure } from '#server/features/imports/stage/hold-erasure.ts';
import { columnsOf, type ImportRecord, mappedColumns, mappingOf } from '#server/features/imports/stage/import-row.ts';
import { keyAgain, ROWS_AT_ONCE } from '#server/features/imports/stage/stage-rows.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { whenDoubled } from '#server/lib/when-doubled.ts';
import { endImport } from './end-import.ts';
import { BEAT_MS, claimImport, lockHeldImport, releaseImport, renewImport } from './import-lease.ts';
import { importPart } from './import-part.ts';
import { planRows } from './plan-rows.ts';
import { whyFailed } from './why-failed.ts';

type WorkDeps = Pick<Deps, 'db' | 'log'>;

/** Claims the next import and works on it to its end, or until `stopping` aborts. Returns whether there was one. */
export async function executeNextImport(deps: WorkDeps, owner: string, stopping: AbortSignal): Promise<boolean> {
  const record = await claimImport(deps.db, owner);
  if (!record) return false;
  const log = deps.log.child({ importId: record.id });
  const beat = setInterval(() => {
    renewImport(deps.db, record.id, owner).catch((error: unknown) =>
      log.warn({ err: error }, 'import lease not renewed'),
    );
  }, BEAT_MS);
  try {
    await work(deps.db, record, owner, stopping);
    if (stopping.aborted) await releaseImport(deps.db, record.id, owner);
    else log.info('import done');
  } catch (error) {
    // What was committed stays; the lease runs out, and the import is continued.
    if (isDatabaseGone(error)) return true;
    if (isInTheWay(error)) {
      await throughOutage(() => releaseImport(deps.db, record.id, owner), stopping);
      return true;
    }
    log.error({ err: error }, 'import failed');
    await throughOutage(() => fail(deps.db, record.id, owner, error), stopping);
  } finally {
    clearInterval(beat);
  }
  return true;
}

/** PostgreSQL's `deadlock_detected` and `lock_not_available`: someone else's work goes first, such as a deletion of several lists. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '55P03');

async function work(db: Db, record: ImportRecord, owner: string, stopping: AbortSignal): Promise<void> {
  if (!record.cancel_requested_at && !(await prepare(db, record, owner, stopping))) return;
  const analyze = whenDoubled(async () => void (await sql`select app.analyze_leads()`.execute(db)));
  while (!stopping.aborted) {
    const outcome = await importPart(db, record.id, owner);
    if (outcome === 'lost') return;
    if (outcome === 'ended') return forgetRows(db, record.id);
    await analyze(ROWS_AT_ONCE);
  }
}

/** Keys rows by the mapping that was chosen at the last moment, and finds what each row is the same as. */
async function prepare(db: Db, record: ImportRecord, owner: string, stopping: AbortSignal): Promise<boolean> {
  if (record.planned) return true;
  if (!isDeepStrictEqual(record.keyed_by, record.mapping)) {
    const columns = mappedColumns(columnsOf(record), mappingOf(record));
    let errors = 0;
    for (let after = 0; ; ) {
      if (stopping.aborted || !(await renewImport(db, record.id, owner))) return false;
      const page = await guardedTransaction(db, async (tx) => {
        await holdErasure.execute(tx);
        if (!(await lockHeldImport(tx, record.id, owner))) return undefined;
        return keyAgain(tx, record.id, columns, after);
      });
      if (!page) return false;
      if (page.rows === 0) break;
      errors += page.errors;
      after = page.last;
    }
    await sql`
      update app.imports set keyed_by = mapping, errors = ${errors} where id = ${record.id} and lease_owner = ${owner}
    `.execute(db);
  }
  try {
    await guardedTransaction(db, async (tx) => {
      if (record.duplicates !== 'add') await planRows(tx, record);
      await keepPlan(tx, record.id, owner);
    });
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    throw error;
  }
  return true;
}

/** Undoes the transaction that it ends. */
class LeaseLost extends Error {}

/**
 * Behind the plan, which takes long: a lock before it would keep the lease from being renewed.
 * @throws LeaseLost
 */
async function keepPlan(tx: Tx, id: string, owner: string): Promise<void> {
  const { numAffectedRows } = await sql`
    update app.imports set planned = true where id = ${id} and state = 'running' and lease_owner = ${owner}
  `.execute(tx);
  if (!numAffectedRows) throw new LeaseLost();
}

const AT_ONCE = 20_000;

/** Rows that have become leads are no longer needed. Undoing deletes those that it holds; what a crash leaves, the daily sweep removes. */
async function forgetRows(db: Db, id: string): Promise<void> {
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from app.import_rows where import_id = ${id} and row = any(array(
        select row from app.import_rows where import_id = ${id} and problems is null limit ${AT_ONCE} for update skip locked))
    `.execute(db);
    deleted = Number(numAffectedRows);
  }
}

const fail = (db: Db, id: string, owner: string, error: unknown): Promise<void> =>
  guardedTransaction(db, async (tx) => {
    const record = await lockHeldImport(tx, id, owner);
    if (record) await endImport(tx, record, 'failed', whyFailed(record, error));
  });

import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { readEntries } from './read-entries.ts';
import { readHead } from './read-head.ts';
import { contentHashOf, createChainCheck, type Fault, faultOfEntry, lineOf, partsHashOf } from './verifier/verify.mjs';

/** What became of the whole chain. */
export type ChainVerdict = { ok: true; entries: number } | ({ ok: false } & Fault);

/**
 * Checks every entry of the chain and every sealed part that is left, as a pack's verifier does, and finds gaps as well.
 * - `from`: the first entry to check; what comes before it is taken as it stands.
 */
export async function verifyChain(db: Db, vault: Vault, { from = 1 }: { from?: number } = {}): Promise<ChainVerdict> {
  const head = await readHead(db);
  if (from > 1 && from > head.position) return { ok: false, position: from, why: 'it is missing' };
  const chain = createChainCheck();
  const all = { condition: sql<boolean>`entry.position between ${from} and ${head.position}`, subject: undefined };
  let last = from - 1;
  for await (const page of readEntries(db, vault, all))
    for (const { stored, ...entry } of page) {
      const fault = (why: string | undefined) => (why === undefined ? undefined : { position: entry.position, why });
      const wrong =
        fault(entry.position === last + 1 ? undefined : `entry ${last + 1} is missing before it`) ??
        fault(JSON.stringify(entry.facts) === stored.facts ? undefined : 'its text was changed') ??
        fault(partsHashOf(entry.parts) === stored.partsHash ? undefined : 'its sealed parts are not those it had') ??
        fault(faultOfEntry(entry, lineOf(entry))) ??
        chain.add({ ...entry, content: contentHashOf(entry) });
      if (wrong) return { ok: false, ...wrong };
      last = entry.position;
    }
  const wrong = chain.end(head);
  return wrong ? { ok: false, ...wrong } : { ok: true, entries: last - from + 1 };
}

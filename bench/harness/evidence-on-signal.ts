// Loaded into the server by --import: on SIGUSR2 it leaves off writing evidence, or goes on with it.
import { registerHooks } from 'node:module';

const state = globalThis as { withoutEvidence?: boolean };
/** Where each way to append begins, and what it does instead. */
const WAYS: readonly (readonly [RegExp, string])[] = [
  [/export async function appendEvidence\([^{]*\{/, 'return;'],
  [/export function appendingEvidence\([\s\S]*?\): RawBuilder<unknown> \{/, 'return sql`select`;'],
];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/server/evidence/append-evidence.ts')) return loaded;
    let source = String(loaded.source);
    for (const [begin, instead] of WAYS) {
      if (!begin.test(source)) throw new Error('A way to append evidence was not found.');
      source = source.replace(begin, (found) => `${found} if (globalThis.withoutEvidence) ${instead}`);
    }
    return { ...loaded, source };
  },
});

process.on('SIGUSR2', () => {
  state.withoutEvidence = !state.withoutEvidence;
});

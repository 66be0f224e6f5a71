// `npm run verify-evidence -- FILE`: checks an evidence pack, as its own verify.mjs does. Without FILE: the chain in the database,
// with `--from N` that from entry N on. With `--head HASH` one of the entries must have that hash.
import { resolve } from 'node:path';
import { ready } from './set-up/ready.mjs';

const { main } = await import('../server/evidence/verifier/verify.mjs');
const args = process.argv.slice(2);
// Seen from where it was typed.
const path = (arg) =>
  arg.startsWith('--') || /^[0-9a-f]{64}$/.test(arg) ? arg : resolve(process.env.INIT_CWD ?? '.', arg);

const isOption = (arg, at) => arg.startsWith('--') || ['--from', '--head'].includes(args[at - 1]);
if (args.length > 0 && !args.every(isOption)) process.exitCode = await main(args.map(path));
else
  await ready(async () => {
    const { verifyDatabase } = await import('../server/operations/verify-evidence.ts');
    await verifyDatabase(args);
  });

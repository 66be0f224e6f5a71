// `npm run sandbox-places -- FILE`: writes invented places to load as open data. See docs/open-data.md.
import { resolve } from 'node:path';
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (!file || more.length > 0) {
    console.error('Usage: npm run sandbox-places -- FILE');
    process.exit(1);
  }
  const { writeOpenData } = await import('../sandbox/open-data/write-open-data.ts');
  await writeOpenData(resolve(process.env.INIT_CWD ?? '.', file));
});

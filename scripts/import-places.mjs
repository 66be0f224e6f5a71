// `npm run import-places -- FILE…`: see docs/open-data.md.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { main } = await import('../server/operations/import-places.ts');
  await main(process.argv.slice(2));
});

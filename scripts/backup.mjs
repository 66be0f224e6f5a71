// `npm run backup -- FILE`: see docs/operations.md.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { main } = await import('../server/operations/backup.ts');
  await main(process.argv.slice(2));
});

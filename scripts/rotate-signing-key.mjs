// `npm run rotate-signing-key [-- --revoke]`: see docs/operations.md.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { main } = await import('../server/operations/rotate-signing-key.ts');
  await main(process.argv.slice(2));
});

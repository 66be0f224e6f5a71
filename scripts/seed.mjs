// `npm run seed`: fills the database with invented data to look at. Arguments are handed on.
import { existsSync } from 'node:fs';
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  if (!existsSync('test/seed.ts')) {
    console.error('There is no test/seed.ts.');
    process.exit(1);
  }
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { main } = await import('../test/seed.ts');
  await main(process.argv.slice(2));
});

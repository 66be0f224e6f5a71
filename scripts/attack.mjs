// `npm run test:attack`: all that tries to break in. The suite itself, and the attacks that stand beside what they attack.
import { ready } from './set-up/ready.mjs';

const ATTACKS = [
  'test/attack/',
  'test/e2e/stored-xss',
  // SQL and the grammar of PostgREST: what is written, and whose rows it reaches.
  ...['backend/data/injection', 'backend/data/row-security'],
  // Forged tokens, ways back, and the replay of links, codes, refresh tokens and of the CRM's answers.
  ...[
    'backend/auth/tokens/access-token',
    'backend/auth/kit/redirects',
    'backend/auth/sessions/sessions',
    'server/features/crm/crm.test',
  ],
  'web/src/lib/session/return-to',
  // Forwarding headers, slow and oversized requests, what a page may load.
  ...['server/http/', 'server/features/mailbox'],
  // Formulas in CSV, and addresses of videos.
  ...['contract/csv', 'contract/work/exports', 'contract/admin/video-url'],
  'test/planted-secrets',
];

await ready(async () => {
  const { ensureChromium } = await import('./set-up/chromium.mjs');
  const { runSteps } = await import('./set-up/steps.mjs');
  const { tool } = await import('./set-up/tool.mjs');
  ensureChromium();
  process.exitCode = await runSteps([['attacks', () => tool('node_modules/vitest/vitest.mjs', ['run', ...ATTACKS])]]);
});

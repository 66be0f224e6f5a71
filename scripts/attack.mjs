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
  // Money and kinds of data that must not mix, limits that come back, and what one person can take from others.
  ...['server/runs/one-kind', 'server/features/account/come-back', 'server/features/budgets', 'backend/data/fairness'],
  ...['db/migrations/lists-per-person', 'backend/realtime/changes.test', 'backend/storage/attacks'],
  // What someone keeps after it was taken from them, and proofs of who they are.
  ...[
    'backend/auth/account/fresh-proof',
    'backend/auth/recovery-codes',
    'server/features/sessions/session-ends',
    'backend/auth/links/sign-in-link',
    'backend/auth/oauth/attacks',
  ],
  ...['server/features/hooks', 'server/mail/mailer', 'server/main.'],
  // Who may not be contacted, and who may not be called.
  ...['server/features/suppressions', 'calling/verdict'],
];

await ready(async () => {
  const { ensureChromium } = await import('./set-up/chromium.mjs');
  const { runSteps } = await import('./set-up/run-steps.mjs');
  const { tool } = await import('./set-up/tool.mjs');
  ensureChromium();
  process.exitCode = await runSteps([['attacks', () => tool('node_modules/vitest/vitest.mjs', ['run', ...ATTACKS])]]);
});

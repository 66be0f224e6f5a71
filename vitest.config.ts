import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from '#test/runner/longest-first.ts';
import { testsOnSeparatePostgres } from './test/client-methods.ts';

/** What is waited for comes when it comes; a machine may be busy. */
const patience = { poll: { timeout: 30_000 } };
/** Test files share what a worker has loaded: each leaves globals, clocks and variables of the environment as it found them. */
const shared = { isolate: false };
const rooms = '{area,calling,contract,db,server,backend,jobs,providers,sandbox,scripts,websites}';
/** Long by nature, as test/README.md says; `npm run test:long`. */
const long = '**/*.long.test.ts';
const longPages = '**/*.long.test.tsx';
/** What needs a page, and no server. */
const pages = {
  ...shared,
  // A page makes much that goes at once: with more room for it, garbage is collected less often.
  execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
  expect: patience,
  environment: 'jsdom',
  testTimeout: 90_000,
  setupFiles: ['web/src/test-setup.ts'],
};

export default defineConfig({
  test: {
    passWithNoTests: true,
    // Most tests wait more than they compute: for timeouts, leases, pages. On two cores vitest would run one file at a time.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [react()],
        test: { name: 'web', ...pages, include: ['web/src/**/*.test.tsx'], exclude: [longPages] },
      },
      {
        // What of the browser app needs no page: to make one for each file takes longer than the tests.
        test: {
          name: 'logic',
          ...shared,
          expect: patience,
          environment: 'node',
          testTimeout: 90_000,
          include: ['web/src/**/*.test.ts'],
          setupFiles: ['web/src/lib/format/zod-setup.ts'],
        },
      },
      {
        test: {
          name: 'server',
          ...shared,
          expect: patience,
          environment: 'node',
          setupFiles: ['test/runner/setup-file.ts'],
          include: [`${rooms}/**/*.test.ts`, 'test/{,chaos/,hosted/,hosted/auth-hooks/}*.test.ts'],
          exclude: [long],
          globalSetup: ['test/databases/postgres.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'attack',
          ...shared,
          expect: patience,
          environment: 'node',
          setupFiles: ['test/runner/setup-file.ts'],
          include: ['test/attack/**/*.test.ts'],
          exclude: [long],
          globalSetup: ['test/databases/postgres.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          ...shared,
          expect: patience,
          environment: 'node',
          setupFiles: ['test/runner/setup-file.ts'],
          include: ['test/e2e/**/*.test.ts'],
          exclude: [long],
          globalSetup: ['test/e2e/build.ts', 'test/databases/postgres.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
          // Each has pages in a browser and a server of its own, and waits for them a third of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // What the official client's methods do here, on a PostgreSQL that is not ours.
        test: {
          name: 'separate',
          ...shared,
          expect: patience,
          environment: 'node',
          setupFiles: ['test/runner/setup-file.ts'],
          include: testsOnSeparatePostgres(),
          exclude: [long],
          globalSetup: ['test/databases/separate-postgres.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: { name: 'long-pages', ...pages, include: [`web/src/${longPages}`] },
      },
      {
        test: {
          name: 'long',
          expect: patience,
          environment: 'node',
          setupFiles: ['test/runner/setup-file.ts'],
          include: [`{${rooms.slice(1, -1)},test}/${long}`],
          globalSetup: ['test/e2e/build.ts', 'test/databases/postgres.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
          // Each runs several processes, and waits for them a part of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

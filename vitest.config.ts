import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const rooms = '{contract,db,server,backend,jobs,providers,sandbox,scripts}';

export default defineConfig({
  test: {
    passWithNoTests: true,
    // Most tests wait more than they compute: for timeouts, leases, pages. On two cores vitest would run one file at a time.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['web/src/test-setup.ts'],
        },
      },
      {
        test: {
          name: 'server',
          environment: 'node',
          include: [`${rooms}/**/*.test.ts`, 'test/*.test.ts'],
          globalSetup: ['test/postgres.ts'],
          testTimeout: 45_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'attack',
          environment: 'node',
          include: ['test/attack/**/*.test.ts'],
          globalSetup: ['test/postgres.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/build.ts', 'test/postgres.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
          // Each journey has a browser and a server of its own, which take all of two cores.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

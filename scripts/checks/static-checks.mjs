import { tool } from '../set-up/tool.mjs';

/** The checks that look at files only, as steps that may run at the same time. */
export const staticChecks = [
  ['directions', (quiet) => tool('scripts/checks/biome-config.mjs', ['--check'], quiet)],
  [
    'lint',
    (quiet) =>
      tool('node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--max-diagnostics=50'], quiet),
  ],
  ['exports', (quiet) => tool('node_modules/knip/bin/knip.js', ['--no-progress', '--no-config-hints'], quiet)],
  ['words', (quiet) => tool('scripts/checks/spelling.mjs', [], quiet)],
  ['types', (quiet) => tool('node_modules/typescript/bin/tsc', ['-b'], quiet)],
];

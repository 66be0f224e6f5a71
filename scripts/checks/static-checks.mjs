import { tool } from '../set-up/tool.mjs';

/** The checks that look at files only, as steps for runSteps. */
export const staticChecks = [
  ['directions', () => tool('scripts/checks/biome-config.mjs', ['--check'])],
  [
    'lint',
    () => tool('node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--max-diagnostics=50']),
  ],
  ['exports', () => tool('node_modules/knip/bin/knip.js', ['--no-progress', '--no-config-hints'])],
  ['words', () => tool('scripts/checks/spelling.mjs', [])],
  ['types', () => tool('node_modules/typescript/bin/tsc', ['-b'])],
];

import type { Rolldown } from 'vite';

/**
 * Which files the built scripts stand in: few, so that a route asks for a handful at once and none holds much that the
 * route does not use. Each group takes what its modules import along, unless an earlier one has it.
 */
export const CHUNKS: Rolldown.CodeSplittingOptions = {
  groups: [
    // What is there before someone is signed in, the login form included.
    {
      name: 'base',
      test: /web[\\/]src[\\/](main|pages[\\/]login)\.tsx$|node_modules[\\/]tslib[\\/]/,
      priority: 9,
    },
    { name: 'shell', test: /web[\\/]src[\\/]shell[\\/]app-shell\.tsx$/, priority: 8 },
    { name: 'dashboard', test: /web[\\/]src[\\/]pages[\\/]dashboard\.tsx$/, priority: 7 },
    { name: 'popups', test: /web[\\/]src[\\/]ui[\\/]popups[\\/]library\.ts$/, priority: 6 },
    {
      // Instead of dozens of files of a few hundred bytes: those that the same pages use stand together.
      name: 'shared',
      test: (id) => !/@supabase|backend-library/.test(id),
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 20_000,
      priority: 1,
    },
  ],
};

/** The names of shared files would else tell of every page that uses them. */
export const chunkName = ({ name }: { name: string }): string =>
  `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`;

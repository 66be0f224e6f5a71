import type { Rolldown } from 'vite';

const WEB = String.raw`web[\\/]src[\\/]`;
/** Modules below web/src, by their paths without endings. */
const below = (...paths: string[]) =>
  new RegExp(`${WEB}(${paths.map((path) => path.replaceAll('/', String.raw`[\\/]`)).join('|')})\\.tsx?$`);

/**
 * Which files the built scripts stand in: few, so that a route asks for a handful at once and none holds much that the
 * route does not use. Each group takes what its modules import along, unless an earlier one has it; what later ones need too is named,
 * so that they do not need the earlier one.
 */
export const CHUNKS: Rolldown.CodeSplittingOptions = {
  groups: [
    // Beside the base and not in it: two files of half the size arrive sooner than one.
    { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 10 },
    // What every page needs.
    {
      name: 'base',
      test: (id) =>
        (/node_modules[\\/](tslib|@tanstack[\\/](query-core|react-query))[\\/]/.test(id) &&
          !/(use|[\\/])(Queries|InfiniteQuery|queriesObserver|infiniteQueryObserver)\.js$/.test(id)) ||
        /lucide-react[\\/].*[\\/](external-link)\.m?js$/.test(id) ||
        below(
          'main',
          'lib/backend/api-client',
          'shell/(logo|legal-links)',
          'ui/(button|form/(field|label|input)|feedback/(alert|skeleton))',
        ).test(id),
      priority: 9,
    },
    { name: 'login', test: below('pages/login'), priority: 8.5 },
    // The frame of a signed-in person's pages, and what most of them need: in one file, because each request costs a round trip.
    // What the dashboard shares with other pages is named here, so that they do not need its file.
    {
      name: 'shell',
      test: (id) =>
        /lucide-react[\\/].*[\\/](check|chevron-down|plus|search-x|list-plus|hourglass|flask-conical)\.m?js$/.test(
          id,
        ) ||
        below(
          'shell/app-shell',
          'pages/list-work/(use-list-work|use-lists|open-run)',
          'features/lists/(list-menu|badges|list-badges|card-actions|has-started)',
          'features/runs/cancel-run',
          'lib/(browser/use-now|query/read-first)',
          'features/(training/training-video-button|budgets/budget-notices|compliance/verdicts-text)',
          'shell/gate/signed-out-alert',
          'ui/(table/.*|form/(select|search-input|segmented-control)|feedback/(badge|progress|read-failed|empty-state)|layout/(page-header|use-in-portions))',
        ).test(id),
      priority: 8,
    },
    { name: 'dashboard', test: below('pages/dashboard'), priority: 6.6 },
    { name: 'list', test: below('pages/list-detail'), priority: 6.5 },
    { name: 'popups', test: below('ui/popups/library'), priority: 6 },
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

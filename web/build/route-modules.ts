/** What every page of a signed-in person needs. */
const SIGNED_IN = ['shell/app-shell.tsx'];

/** The modules that a route of router.tsx fetches before it can show anything, below web/src. A test compares the two. */
export const ROUTE_MODULES: Readonly<Record<string, readonly string[]>> = {
  '/': [...SIGNED_IN, 'pages/dashboard.tsx'],
  '/search': [...SIGNED_IN, 'pages/dashboard.tsx'],
  '/lists/:listId': [...SIGNED_IN, 'pages/list-detail.tsx'],
  '/lists/:listId/coverage': [...SIGNED_IN, 'pages/coverage.tsx'],
  '/lists/:listId/calls': [...SIGNED_IN, 'pages/calling/call-sheet.tsx'],
  '/settings': [...SIGNED_IN, 'pages/settings.tsx'],
  '/account': [...SIGNED_IN, 'pages/account.tsx'],
  '/usage': [...SIGNED_IN, 'pages/usage.tsx'],
  '/imports': [...SIGNED_IN, 'pages/imports.tsx'],
  '/suppressions': [...SIGNED_IN, 'pages/calling/suppressions.tsx'],
  '/evidence': [...SIGNED_IN, 'pages/calling/evidence.tsx'],
  '/admin/training': [...SIGNED_IN, 'pages/admin/training.tsx'],
  '/admin/users': [...SIGNED_IN, 'pages/admin/users.tsx'],
  '/admin/settings': [...SIGNED_IN, 'pages/admin/settings.tsx'],
  '/admin/calling-rules': [...SIGNED_IN, 'pages/admin/calling-rules.tsx'],
  '/admin/audit': [...SIGNED_IN, 'pages/admin/audit.tsx'],
  '/admin/sources': [...SIGNED_IN, 'pages/admin/sources.tsx'],
  '/login': ['pages/login.tsx'],
  '/terms': ['pages/legal/terms.tsx'],
  '/privacy': ['pages/legal/privacy.tsx'],
  '/data-sources': ['pages/legal/data-sources.tsx'],
  '/stop': ['pages/calling/stop.tsx'],
};

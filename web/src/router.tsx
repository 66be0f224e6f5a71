import { useEffect } from 'react';
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  Navigate,
  Outlet,
  type RouteObject,
  ScrollRestoration,
} from 'react-router';
import { reloadIfNewer } from '#web/lib/browser/reload-if-newer.ts';
import { BackendBanner } from '#web/shell/backend-banner.tsx';
import { RequireSession } from '#web/shell/gate/require-session.tsx';
import { ErrorBoundary, SomethingWentWrong } from '#web/ui/feedback/error-boundary.tsx';

function Root() {
  return (
    <>
      <BackendBanner />
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** A page that could not be loaded: the connection is gone, or an update has replaced its files, which a reload settles. */
function PageNotLoaded() {
  useEffect(() => {
    void reloadIfNewer();
  }, []);
  return (
    <SomethingWentWrong description="This page could not be loaded. Check your internet connection, then reload." />
  );
}

function BrokenApp() {
  return (
    <div className="mx-auto grid min-h-dvh max-w-lg content-center p-4">
      <PageNotLoaded />
    </div>
  );
}

const pagesWithSession: RouteObject[] = [
  {
    index: true,
    lazy: async () => {
      const { DashboardPage, readDashboard } = await import('#web/pages/dashboard.tsx');
      return { Component: DashboardPage, loader: readDashboard };
    },
  },
  { path: 'search', element: <Navigate to="/" replace state={{ fromSearch: true }} /> },
  { path: 'settings', lazy: async () => ({ Component: (await import('#web/pages/settings.tsx')).SettingsPage }) },
  { path: 'account', lazy: async () => ({ Component: (await import('#web/pages/account.tsx')).AccountPage }) },
  { path: 'usage', lazy: async () => ({ Component: (await import('#web/pages/usage.tsx')).UsagePage }) },
  { path: 'imports', lazy: async () => ({ Component: (await import('#web/pages/imports.tsx')).ImportsPage }) },
  {
    path: 'suppressions',
    lazy: async () => ({ Component: (await import('#web/pages/suppressions.tsx')).SuppressionsPage }),
  },
  { path: 'evidence', lazy: async () => ({ Component: (await import('#web/pages/evidence.tsx')).EvidencePage }) },
  {
    path: 'admin/training',
    lazy: async () => ({ Component: (await import('#web/pages/admin/training.tsx')).TrainingEditorPage }),
  },
  {
    path: 'admin/users',
    lazy: async () => ({ Component: (await import('#web/pages/admin/users.tsx')).AdminUsersPage }),
  },
  {
    path: 'admin/settings',
    lazy: async () => ({ Component: (await import('#web/pages/admin/settings.tsx')).AdminSettingsPage }),
  },
  {
    path: 'admin/calling-rules',
    lazy: async () => ({ Component: (await import('#web/pages/admin/calling-rules.tsx')).CallingRulesPage }),
  },
  {
    path: 'admin/audit',
    lazy: async () => ({ Component: (await import('#web/pages/admin/audit.tsx')).AuditLogPage }),
  },
  {
    path: 'admin/sources',
    lazy: async () => ({ Component: (await import('#web/pages/admin/sources.tsx')).SourcesPage }),
  },
  {
    path: 'lists/:listId/coverage',
    lazy: async () => ({ Component: (await import('#web/pages/coverage.tsx')).CoveragePage }),
  },
  {
    path: 'lists/:listId/calls',
    lazy: async () => ({ Component: (await import('#web/pages/call-sheet.tsx')).CallSheetPage }),
  },
  {
    path: 'lists/:listId',
    lazy: async () => {
      const { ListDetailPage, readListDetail } = await import('#web/pages/list-detail.tsx');
      const Component = () => (
        <ErrorBoundary>
          <ListDetailPage />
        </ErrorBoundary>
      );
      const loader = ({ params }: LoaderFunctionArgs) => readListDetail(params.listId ?? '');
      return { Component, loader };
    },
  },
];

/** What everyone may read, with or without a session. */
const publicPages: RouteObject[] = [
  { path: 'login', lazy: async () => ({ Component: (await import('#web/pages/login.tsx')).LoginPage }) },
  { path: 'terms', lazy: async () => ({ Component: (await import('#web/pages/legal/terms.tsx')).TermsPage }) },
  { path: 'privacy', lazy: async () => ({ Component: (await import('#web/pages/legal/privacy.tsx')).PrivacyPage }) },
  {
    path: 'data-sources',
    lazy: async () => ({ Component: (await import('#web/pages/legal/data-sources.tsx')).DataSourcesPage }),
  },
  { path: 'stop', lazy: async () => ({ Component: (await import('#web/pages/stop.tsx')).StopPage }) },
];

/** The routes of spec section 2, and the legal pages. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    HydrateFallback: () => null,
    errorElement: <BrokenApp />,
    children: [
      ...publicPages,
      {
        Component: RequireSession,
        children: [
          {
            lazy: () => import('#web/shell/app-shell.tsx'),
            // Inside the shell, so that one can go elsewhere.
            children: [{ errorElement: <PageNotLoaded />, children: pagesWithSession }],
          },
        ],
      },
      { path: '*', lazy: async () => ({ Component: (await import('#web/pages/not-found.tsx')).NotFoundPage }) },
    ],
  },
];

export const createAppRouter = () => createBrowserRouter(routes);

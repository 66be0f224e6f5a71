import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { reloadIfNewer, reloadWhenBack } from '#web/lib/browser/reload-if-newer.ts';
import { BackendBanner } from '#web/shell/backend-banner.tsx';
import { RequireSession } from '#web/shell/gate/require-session.tsx';
import type { FetchPage, PageRoute } from '#web/shell/pages.tsx';
import { ScrollPlaces } from '#web/shell/scroll-places.tsx';
import { ErrorBoundary, SomethingWentWrong } from '#web/ui/feedback/error-boundary.tsx';

function Root() {
  const { pathname } = useLocation();
  return (
    <>
      <BackendBanner />
      <ErrorBoundary resetKey={pathname} fallback={<BrokenApp />}>
        <Outlet />
      </ErrorBoundary>
      <ScrollPlaces />
    </>
  );
}

/** A page that could not be loaded: the connection is gone, or an update has replaced its files, which a reload settles. */
function PageNotLoaded() {
  useEffect(() => {
    void reloadIfNewer();
    return reloadWhenBack();
  }, []);
  return (
    <SomethingWentWrong description="This page could not be loaded. Check your internet connection, then reload." />
  );
}

export function BrokenApp() {
  return (
    <div className="mx-auto grid min-h-dvh max-w-lg content-center p-4">
      <PageNotLoaded />
    </div>
  );
}

/** Inside the shell, so that one can go elsewhere. */
const inShell = (path: string, fetch: FetchPage): PageRoute => ({ path, fetch, Component: PageNotLoaded });
const alone = (path: string, fetch: FetchPage): PageRoute => ({ path, fetch, Component: BrokenApp });

const pagesWithSession: PageRoute[] = [
  inShell('', async () => {
    const { DashboardPage, readDashboard } = await import('#web/pages/dashboard.tsx');
    await readDashboard();
    return DashboardPage;
  }),
  { path: 'search', element: <Navigate to="/" replace state={{ fromSearch: true }} /> },
  inShell('settings', async () => (await import('#web/pages/settings.tsx')).SettingsPage),
  inShell('account', async () => (await import('#web/pages/account.tsx')).AccountPage),
  inShell('usage', async () => (await import('#web/pages/usage.tsx')).UsagePage),
  inShell('imports', async () => (await import('#web/pages/imports.tsx')).ImportsPage),
  inShell('suppressions', async () => (await import('#web/pages/calling/suppressions.tsx')).SuppressionsPage),
  inShell('evidence', async () => (await import('#web/pages/calling/evidence.tsx')).EvidencePage),
  inShell('admin/training', async () => (await import('#web/pages/admin/training.tsx')).TrainingEditorPage),
  inShell('admin/users', async () => (await import('#web/pages/admin/users.tsx')).AdminUsersPage),
  inShell('admin/settings', async () => (await import('#web/pages/admin/settings.tsx')).AdminSettingsPage),
  inShell('admin/calling-rules', async () => (await import('#web/pages/admin/calling-rules.tsx')).CallingRulesPage),
  inShell('admin/audit', async () => (await import('#web/pages/admin/audit.tsx')).AuditLogPage),
  inShell('admin/sources', async () => (await import('#web/pages/admin/sources.tsx')).SourcesPage),
  inShell('lists/:listId/coverage', async () => (await import('#web/pages/coverage.tsx')).CoveragePage),
  inShell('lists/:listId/calls', async () => (await import('#web/pages/calling/call-sheet.tsx')).CallSheetPage),
  inShell('lists/:listId', async ({ listId = '' }) => {
    const { ListDetailPage, readListDetail } = await import('#web/pages/list-detail.tsx');
    await readListDetail(listId);
    return ListDetailPage;
  }),
];

/** What everyone may read, with or without a session. */
const publicPages: PageRoute[] = [
  alone('login', async () => (await import('#web/pages/login.tsx')).LoginPage),
  alone('terms', async () => (await import('#web/pages/legal/terms.tsx')).TermsPage),
  alone('privacy', async () => (await import('#web/pages/legal/privacy.tsx')).PrivacyPage),
  alone('data-sources', async () => (await import('#web/pages/legal/data-sources.tsx')).DataSourcesPage),
  alone('stop', async () => (await import('#web/pages/calling/stop.tsx')).StopPage),
];

/** The routes of spec section 2, and the legal pages. */
export const routes: PageRoute[] = [
  {
    Component: Root,
    children: [
      ...publicPages,
      {
        Component: RequireSession,
        children: [
          {
            ...alone('', async () => (await import('#web/shell/app-shell.tsx')).AppShell),
            children: pagesWithSession,
          },
        ],
      },
      alone('*', async () => (await import('#web/pages/not-found.tsx')).NotFoundPage),
    ],
  },
];

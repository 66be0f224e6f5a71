import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { listKeys } from '#web/features/lists/api.ts';
import { useRetentionSweep } from '#web/features/retention/use-retention-sweep.ts';
import { useTrainingVideos } from '#web/features/training/api.ts';
import { ErrorBoundary } from '#web/ui/feedback/error-boundary.tsx';
import { SidebarProvider } from '#web/ui/layout/sidebar-state.tsx';
import { AppSidebar } from './app-sidebar.tsx';
import { PageCommandsProvider } from './commands/page-commands.tsx';
import { useOverlays } from './commands/use-overlays.tsx';
import { FollowingAfterQuiet } from './live/following-after-quiet.tsx';
import { TopBar } from './top-bar.tsx';
import { usePageFocus } from './use-page-focus.ts';

const MAIN_ID = 'main';

/** The frame around every page of a signed-in person. */
export function AppShell() {
  const queries = useQueryClient();
  useRetentionSweep(() => void queries.invalidateQueries({ queryKey: listKeys.all }));
  // Read here, so that the browser's copy is new after a sign-in, whatever page it leads to.
  useTrainingVideos();
  return (
    <SidebarProvider>
      <PageCommandsProvider>
        <Frame />
      </PageCommandsProvider>
    </SidebarProvider>
  );
}

function Frame() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const { openPalette, overlays } = useOverlays();
  usePageFocus(main, pathname);
  return (
    <>
      <a
        href={`#${MAIN_ID}`}
        className="print:hidden fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-accent px-3 py-2 text-accent-foreground focus:translate-y-0"
      >
        Skip to content
      </a>
      <TopBar onSearch={openPalette} />
      <div className="flex print:block">
        <AppSidebar />
        <main
          ref={main}
          id={MAIN_ID}
          tabIndex={-1}
          className="min-w-0 flex-1 scroll-mt-12 px-4 py-6 outline-none md:px-8 print:p-0"
        >
          <div className="mx-auto max-w-7xl print:max-w-none">
            <ErrorBoundary resetKey={pathname}>
              <Outlet />
            </ErrorBoundary>
          </div>
        </main>
      </div>
      <FollowingAfterQuiet />
      {overlays}
    </>
  );
}

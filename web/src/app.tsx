import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import type { AppConfig } from '#contract/config.ts';
import { ThemeProvider, useTheme } from '#web/features/theme/theme-provider.tsx';
import { ConfigProvider } from '#web/lib/config.tsx';
import type { LandingNews } from '#web/lib/landing.ts';
import { LandingNewsProvider } from '#web/lib/landing-news.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { SessionProvider } from '#web/lib/session.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { createAppRouter } from './router.tsx';

const Toaster = lazy(async () => ({ default: (await import('#web/ui/toaster.tsx')).Toaster }));

function ThemedToaster() {
  const { resolved } = useTheme();
  return (
    <Suspense fallback={null}>
      <Toaster theme={resolved} />
    </Suspense>
  );
}

/** `landingNews`: what the mailed link that opened the page has to tell, if it was one. */
export function App({ config, landingNews }: { config: AppConfig; landingNews: LandingNews | undefined }) {
  const [queries] = useState(createQueryClient);
  const [router] = useState(createAppRouter);
  return (
    <ThemeProvider>
      <ConfigProvider config={config}>
        <LandingNewsProvider news={landingNews}>
          <QueryClientProvider client={queries}>
            <ErrorBoundary>
              <SessionProvider>
                <RouterProvider router={router} />
              </SessionProvider>
            </ErrorBoundary>
          </QueryClientProvider>
        </LandingNewsProvider>
      </ConfigProvider>
      <ThemedToaster />
    </ThemeProvider>
  );
}

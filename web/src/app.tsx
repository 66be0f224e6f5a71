import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router';
import type { AppConfig } from '#contract/config.ts';
import { ThemeProvider, useTheme } from '#web/features/theme/theme-provider.tsx';
import { ConfigProvider } from '#web/lib/backend/config.tsx';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';
import type { LandingNews } from '#web/lib/session/landing.ts';
import { LandingNewsProvider } from '#web/lib/session/landing-news.tsx';
import { SessionProvider } from '#web/lib/session/session.tsx';
import { Pages } from '#web/shell/pages.tsx';
import { ProofQuestion } from '#web/shell/proof/proof-question.tsx';
import { ErrorBoundary } from '#web/ui/feedback/error-boundary.tsx';
import { routes } from './router.tsx';

const Toaster = lazy(async () => ({
  default: (await loadAgain(() => import('#web/ui/feedback/toaster.tsx'), 'Toaster')).Toaster,
}));

/** A file of its own, for where that one cannot be had. */
const PlainToasts = lazy(async () => ({
  default: (await loadAgain(() => import('#web/ui/feedback/plain-toasts.tsx'), 'PlainToasts')).PlainToasts,
}));

/** News comes after what it is about: so does what shows it. */
function ThemedToaster() {
  const { resolved } = useTheme();
  const [late, setLate] = useState(false);
  useEffect(() => {
    void whenQuiet().then(() => setLate(true));
  }, []);
  return (
    <ErrorBoundary
      fallback={
        <ErrorBoundary fallback={null}>
          <Suspense fallback={null}>
            <PlainToasts />
          </Suspense>
        </ErrorBoundary>
      }
    >
      <Suspense fallback={null}>{late ? <Toaster theme={resolved} /> : null}</Suspense>
    </ErrorBoundary>
  );
}

/** `landingNews`: what the mailed link that opened the page has to tell, if it was one. */
export function App({ config, landingNews }: { config: AppConfig; landingNews: LandingNews | undefined }) {
  const [queries] = useState(createQueryClient);
  return (
    <ThemeProvider>
      <ConfigProvider config={config}>
        <LandingNewsProvider news={landingNews}>
          <QueryClientProvider client={queries}>
            <ErrorBoundary>
              <SessionProvider>
                <BrowserRouter>
                  <Pages routes={routes} />
                </BrowserRouter>
                <ProofQuestion />
              </SessionProvider>
            </ErrorBoundary>
          </QueryClientProvider>
        </LandingNewsProvider>
      </ConfigProvider>
      <ThemedToaster />
    </ThemeProvider>
  );
}

import './lib/format/zod-setup.ts';
import './styles.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadConfig } from './lib/backend/config.tsx';
import { whenQuiet } from './lib/query/when-quiet.ts';
import { type LandingNews, readLanding } from './lib/session/landing.ts';
import { settleLanding } from './lib/session/settle-landing.ts';
import { BrokenApp } from './router.tsx';

/** Longer than a mailed link takes with a slow connection, in ms. */
const STILL_LOADING_MS = 5_000;

const StillLoading = () => (
  <p role="status" className="grid min-h-dvh content-center p-4 text-center text-secondary">
    Still loading. Check your internet connection.
  </p>
);

async function start(element: HTMLElement): Promise<void> {
  const landing = readLanding(window.location.href);
  const config = await loadConfig();
  const root = createRoot(element);
  let landingNews: LandingNews | undefined;
  if (landing.kind !== 'none') {
    // Nothing else is drawn before: what the link carries has to be out of the address first.
    const waiting = window.setTimeout(() => root.render(<StillLoading />), STILL_LOADING_MS);
    try {
      landingNews = await settleLanding(landing);
    } catch {
      root.render(<BrokenApp />);
      return;
    } finally {
      window.clearTimeout(waiting);
    }
  }
  // In slices, so that a slow phone stays able to react.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App config={config} landingNews={landingNews} />
      </StrictMode>,
    ),
  );
}

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root.');
void start(element);

// What an installation needs would take a connection from the scripts.
void whenQuiet().then(() => {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
  );
});

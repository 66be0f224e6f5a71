import './lib/format/zod-setup.ts';
import './styles.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadConfig } from './lib/backend/config.tsx';
import { whenQuiet } from './lib/query/when-quiet.ts';
import { readLanding } from './lib/session/landing.ts';
import { settleLanding } from './lib/session/settle-landing.ts';

async function start(element: HTMLElement): Promise<void> {
  const landing = readLanding(window.location.href);
  const config = await loadConfig();
  const landingNews = landing.kind === 'none' ? undefined : await settleLanding(landing);
  const root = createRoot(element);
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

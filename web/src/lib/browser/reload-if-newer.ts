const RELOADED_KEY = 'fairlead-reloaded-at';
/** While two versions are served side by side, a page must not reload for ever. */
const ONCE_IN_MS = 60_000;

/** The first script of a page, whose name changes with every version. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/** Whether `error` says that a file of the page itself could not be had. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);

/**
 * Reloads the page where it is, once, if the server has a newer version: its files have replaced those of this page. Without
 * a connection, or where the version is the same, nothing happens, and what has failed says so.
 */
export async function reloadIfNewer(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (!own || hasJustReloaded()) return;
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined);
  const entry = response?.ok ? ENTRY.exec(await response.text())?.[1] : undefined;
  if (entry === undefined || entry === own.getAttribute('src')) return;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  window.location.reload();
}

/**
 * Reloads the page whenever the network is back, for one whose files could not be had. The server has to answer before: the browser's
 * own page of a failure would come instead.
 * @returns what ends it
 */
export function reloadWhenBack(): () => void {
  const reload = async () => {
    const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined);
    if (response?.ok) window.location.reload();
  };
  window.addEventListener('online', reload);
  return () => window.removeEventListener('online', reload);
}

/** True where that cannot be remembered either. */
function hasJustReloaded(): boolean {
  try {
    const at = Number(sessionStorage.getItem(RELOADED_KEY));
    sessionStorage.setItem(RELOADED_KEY, String(at));
    return Date.now() - at < ONCE_IN_MS;
  } catch {
    return true;
  }
}

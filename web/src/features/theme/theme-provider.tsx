import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { readStored, writeStored } from '#web/lib/storage/storage.ts';

export type Theme = 'light' | 'dark' | 'system';
type ResolvedTheme = 'light' | 'dark';

/** The inline script of index.html reads the same key before the first paint. */
const STORAGE_KEY = 'theme';
const DEFAULT_THEME: Theme = 'dark';
const BROWSER_BAR: Record<ResolvedTheme, string> = { dark: '#0c1014', light: '#fafbfc' };

const isTheme = (value: unknown): value is Theme => value === 'light' || value === 'dark' || value === 'system';

function storedTheme(): Theme {
  const stored = readStored(STORAGE_KEY);
  return isTheme(stored) ? stored : DEFAULT_THEME;
}

const darkPreference = () => window.matchMedia('(prefers-color-scheme: dark)');

function subscribeToPreference(onChange: () => void): () => void {
  const preference = darkPreference();
  preference.addEventListener('change', onChange);
  return () => preference.removeEventListener('change', onChange);
}

function paint(theme: ResolvedTheme): void {
  const root = document.documentElement;
  root.classList.toggle('dark', theme === 'dark');
  root.style.colorScheme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BROWSER_BAR[theme]);
}

type ThemeState = {
  /** What was chosen. */
  theme: Theme;
  /** What is shown. */
  resolved: ResolvedTheme;
  setTheme: (theme: Theme) => void;
};

const ThemeContext = createContext<ThemeState | undefined>(undefined);

export function ThemeProvider({ children }: { children: ReactNode }) {
  const [theme, choose] = useState(storedTheme);
  const prefersDark = useSyncExternalStore(subscribeToPreference, () => darkPreference().matches);
  const resolved = theme === 'system' ? (prefersDark ? 'dark' : 'light') : theme;

  useEffect(() => paint(resolved), [resolved]);

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === STORAGE_KEY) choose(storedTheme());
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);

  const setTheme = (next: Theme) => {
    writeStored(STORAGE_KEY, next);
    choose(next);
  };
  return <ThemeContext value={{ theme, resolved, setTheme }}>{children}</ThemeContext>;
}

export function useTheme(): ThemeState {
  const state = useContext(ThemeContext);
  if (!state) throw new Error('useTheme must be used within a ThemeProvider.');
  return state;
}

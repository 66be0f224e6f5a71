import { createContext, type ReactNode, useContext } from 'react';
import { z } from 'zod/mini';
import { AppConfig } from '#contract/config.ts';

/** What the browser knows when /config.json cannot be had or lacks its values: nothing that needs a backend works. */
export const DISABLED_CONFIG: AppConfig = {
  backendUrl: '',
  backendKey: '',
  sandbox: false,
  mailbox: false,
  supportUrl: 'mailto:support@fairlead.example',
};

export const isBackendDisabled = (config: AppConfig): boolean => config.backendUrl === '' || config.backendKey === '';

/** Whether people sign in at hosted Supabase. Of a config that is not disabled. */
export const isSignInElsewhere = ({ backendUrl }: Pick<AppConfig, 'backendUrl'>): boolean =>
  new URL(backendUrl).origin !== window.location.origin;

const PartOfConfig = z.partial(AppConfig);

/** What of `answer` can be used; DISABLED_CONFIG if it lacks the backend's address or key. */
export function readConfig(answer: unknown): AppConfig {
  const whole = AppConfig.safeParse(answer);
  if (whole.success) return whole.data;
  const part = PartOfConfig.safeParse(answer);
  return part.success
    ? { ...DISABLED_CONFIG, supportUrl: part.data.supportUrl ?? DISABLED_CONFIG.supportUrl }
    : DISABLED_CONFIG;
}

/** The server has put it into the page. Elsewhere it has to be fetched: from Vite's server, and from one that only serves files. */
async function fetchConfig(): Promise<AppConfig> {
  try {
    const inPage = document.getElementById('config')?.textContent;
    if (inPage) return readConfig(JSON.parse(inPage));
    const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
    return readConfig(await response.json());
  } catch {
    return DISABLED_CONFIG;
  }
}

let loading: Promise<AppConfig> | undefined;

/** Read once; never rejects. */
export function loadConfig(): Promise<AppConfig> {
  loading ??= fetchConfig();
  return loading;
}

const ConfigContext = createContext<AppConfig>(DISABLED_CONFIG);

export function ConfigProvider({ config, children }: { config: AppConfig; children: ReactNode }) {
  return <ConfigContext value={config}>{children}</ConfigContext>;
}

export const useConfig = (): AppConfig => useContext(ConfigContext);

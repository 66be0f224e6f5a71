import { useQuery } from '@tanstack/react-query';
import { z } from 'zod/mini';
import type { AppConfig } from '#contract/config.ts';
import { isBackendDisabled, useConfig } from './config.tsx';

/** What of the backend's settings is looked at: which ways in are open, by their names. */
const Settings = z.object({ external: z.record(z.string(), z.unknown()) });

async function readOpenWays({ backendUrl, backendKey }: AppConfig, signal: AbortSignal): Promise<string[]> {
  const response = await fetch(`${backendUrl}/auth/v1/settings`, { headers: { apikey: backendKey }, signal });
  const { external } = Settings.parse(await response.json());
  return Object.keys(external).filter((name) => external[name] === true);
}

/** Which ways in are open here, as the backend names them. Empty until that is known. */
export function useOpenWays(): string[] {
  const config = useConfig();
  const { data = [] } = useQuery({
    queryKey: ['open-ways', config.backendUrl],
    queryFn: ({ signal }) => readOpenWays(config, signal),
    enabled: !isBackendDisabled(config),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Whether text messages can be sent. */
export const useTexts = (): boolean => useOpenWays().includes('phone');

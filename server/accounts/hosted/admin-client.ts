import { createClient } from '@supabase/supabase-js';
import type { HostedSupabase } from '#server/config/env.ts';

const TIMEOUT_MS = 8_000;

/** `ban_duration` of a century: Supabase's bans have an end, and no unit longer than hours. */
export const FOR_GOOD = '876000h';

/** Supabase's admin API. */
export type AdminClient = ReturnType<typeof adminClient>;

export const adminClient = ({ url, secretKey }: Pick<HostedSupabase, 'url' | 'secretKey'>) =>
  createClient(url, secretKey, {
    auth: { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }) },
  }).auth.admin;

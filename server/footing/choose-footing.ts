import type { Env } from '#server/config/env.ts';
import type { Footing, FootingParts } from './footing.ts';
import { hostedFooting } from './hosted.ts';
import { ownFooting } from './own.ts';

/** Hosted Supabase where it is configured, our own backend otherwise. */
export const chooseFooting = ({ supabase }: Env, parts: FootingParts): Footing =>
  supabase ? hostedFooting(supabase, parts) : ownFooting(parts);

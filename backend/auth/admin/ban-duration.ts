import { AuthError } from '#backend/auth/kit/auth-error.ts';

const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const PART = '(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)';
/** The longest that Go's durations hold, some 292 years. */
const MAX_MS = 2 ** 63 / 1e6;

/**
 * `ban_duration`, as Go writes durations (`24h`, `1h30m`): until when the ban lasts, or null for `none`, which lifts it.
 * @throws AuthError `validation_failed`.
 */
export function readBan(duration: string): Date | null {
  if (duration === 'none') return null;
  const parts = new RegExp(`^(?:${PART})+$`).test(duration) ? [...duration.matchAll(new RegExp(PART, 'g'))] : [];
  const ms = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? Number.NaN), 0);
  if (parts.length === 0 || !(ms <= MAX_MS))
    throw new AuthError(400, 'validation_failed', 'ban_duration must be none, or a duration such as 24h or 1h30m');
  return new Date(Date.now() + ms);
}

import type { StopKind } from '#contract/calling/stop-page.ts';

/** What a key of app.stop_requests names. */
export function contactOf(key: string): { kind: StopKind; value: string } {
  const [kind = '', value = ''] = key.split(/:(.*)/s);
  return { kind: kind === 'phone' ? 'phone' : 'email', value };
}

/** A key for the log, which keeps it longer than an erasure may: enough to recognize it, too little to contact anyone. */
export function maskKey(key: string): string {
  const [kind = '', value = ''] = key.split(/:(.*)/s);
  if (kind === 'phone') return `phone:…${value.slice(-4)}`;
  if (kind === 'email') return `email:${value.slice(0, 1)}…@${value.split('@')[1] ?? ''}`;
  return key;
}

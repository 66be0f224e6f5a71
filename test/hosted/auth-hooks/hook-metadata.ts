import { randomUUID } from 'node:crypto';

/** What every event of a hook begins with. `name`: as GoTrue has it; `ip`: of the person who asks, where it matters. */
export const hookMetadata = (name: string, ip?: string) => ({
  uuid: randomUUID(),
  time: new Date().toISOString(),
  name,
  ip_address: ip,
});

import type { Db } from '#db/connection/client.ts';
import { isSandboxClient } from '#providers/registry.ts';

/** Whether the CRM that is connected is the simulated one. */
export async function isSandboxConnection(db: Db): Promise<boolean> {
  const row = await db.selectFrom('app.crm_connection').select('client_id').executeTakeFirst();
  return row?.client_id ? isSandboxClient(row.client_id) : false;
}

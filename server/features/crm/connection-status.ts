import type { crmStatusEndpoint } from '#contract/admin/crm.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { findCrmRow, openCrmConnection } from '#server/crm/connection.ts';
import { masked } from './masked.ts';

/** Whether the CRM is connected. Expired: it has refused to go on, and an administrator must connect again. */
export async function connectionStatus({
  db,
  vault,
}: {
  db: Db;
  vault: Vault;
}): Promise<DataOf<typeof crmStatusEndpoint>> {
  const connection = openCrmConnection(vault, await findCrmRow(db));
  if (!connection) return { connected: false, masked: null, updated_at: null, expired: false };
  return {
    connected: true,
    masked: masked(connection.accessToken),
    updated_at: connection.refreshedAt.toISOString(),
    expired: connection.refused,
  };
}

import type { crmCredentialsStatusEndpoint } from '#contract/admin/crm.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Db } from '#db/connection/client.ts';
import { findCrmRow } from '#server/crm/connection.ts';
import { masked } from './masked.ts';

/** Which application is configured. The secret is never read here. */
export async function credentialsStatus(db: Db): Promise<DataOf<typeof crmCredentialsStatusEndpoint>> {
  const row = await findCrmRow(db);
  if (!row?.client_id) return { configured: false, masked_client_id: null, updated_at: null };
  return {
    configured: true,
    masked_client_id: masked(row.client_id),
    updated_at: row.credentials_updated_at?.toISOString() ?? null,
  };
}

import { sql } from 'kysely';
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
  const before = await tagsOfBefore(db);
  return {
    connected: true,
    masked: masked(connection.accessToken),
    updated_at: connection.refreshedAt.toISOString(),
    expired: connection.refused,
    ...(before.length > 0 ? { tags_of_before: before } : {}),
  };
}

/** Names of required tags that were chosen before this account was connected: in it, their ids may be those of other tags. */
async function tagsOfBefore(db: Db): Promise<string[]> {
  const { rows } = await sql<{ tag_name: string }>`
    select tag_name from app.required_tags
    where added_at < (select account_since from app.crm_connection) order by tag_name, tag_id
  `.execute(db);
  return rows.map(({ tag_name: name }) => name);
}

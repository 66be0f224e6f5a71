import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { saveCrmCredentialsEndpoint } from '#contract/admin/crm.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { isSandboxClient } from '#providers/registry.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { crmPlace, lockCrmRow, NO_TOKENS } from '#server/crm/connection.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { credentialsStatus } from './credentials-status.ts';

/** Seals and stores the CRM application. The same credentials once more change nothing; others end the connection. */
export async function saveCredentials(
  ctx: Ctx,
  { client_id: clientId, client_secret: secret }: z.output<typeof saveCrmCredentialsEndpoint.body>,
): Promise<DataOf<typeof saveCrmCredentialsEndpoint>> {
  const { db, vault, env } = ctx.deps;
  const sandbox = isSandboxClient(clientId);
  if (sandbox && !env.sandbox)
    throw new AppError(
      'VALIDATION_FAILED',
      'Sandbox credentials do not work here. Enter the ones from your own Keap app.',
    );
  return db.transaction().execute(async (tx) => {
    await tx
      .insertInto('app.crm_connection')
      .values({ singleton: true })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await lockCrmRow(tx);
    const stored = row?.sealed_client_secret
      ? vault.open(row.sealed_client_secret, crmPlace('sealed_client_secret'))
      : undefined;
    const same = row?.client_id === clientId && stored === secret;
    await tx
      .updateTable('app.crm_connection')
      .set({
        client_id: clientId,
        sealed_client_secret: vault.seal(secret, crmPlace('sealed_client_secret')),
        credentials_updated_at: sql<Date>`now()`,
        sandbox,
        ...(same ? {} : NO_TOKENS),
      })
      .execute();
    await writeAudit(tx, ctx, {
      action: 'crm.credentials_saved',
      target: 'keap',
      details: { sandbox, connection_ended: !same },
    });
    return credentialsStatus(tx);
  });
}

import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import { isSandboxKey } from '#providers/registry.ts';
import { keyPlace } from '#server/api-keys/api-key.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';

/** Seals and stores a key that was just tested; replaces the one before. */
export async function saveKey(ctx: Ctx, provider: ProviderId, apiKey: string): Promise<void> {
  const { deps, user } = ctx;
  const now = sql<Date>`now()`;
  const columns = {
    sealed_key: deps.vault.seal(apiKey, keyPlace(user.userId, provider)),
    last_four: apiKey.slice(-4),
    fingerprint: deps.vault.fingerprint(`${provider}:${apiKey}`),
    sandbox: isSandboxKey(apiKey),
    last_used_at: now,
    last_tested_at: now,
    updated_at: now,
  };
  await deps.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('app.provider_keys')
      .values({ user_id: user.userId, provider, ...columns })
      .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(columns))
      .execute();
    const { last_four, sandbox } = columns;
    await writeAudit(tx, ctx, { action: 'key.saved', target: provider, details: { last_four, sandbox } });
  });
}

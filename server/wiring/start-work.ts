import { startCrmKeeper } from '#server/crm/start-crm-keeper.ts';
import type { Deps } from '#server/deps.ts';
import { startBudgetNotices } from '#server/features/budgets/start-budget-notices.ts';
import { startImporter } from '#server/features/imports/work/start-importer.ts';
import { startDailySweep } from '#server/features/retention/start-daily-sweep.ts';
import { startCrmPull } from '#server/features/suppressions/crm/start-crm-pull.ts';
import { startSuppressionNotices } from '#server/features/suppressions/notices/start-notices.ts';
import { startRefusals } from '#server/features/suppressions/refusals/start-refusals.ts';
import type { Shutdown } from '#server/process/shutdown.ts';
import { startWorker } from '#server/runs/worker.ts';
import { kinds } from './run-kinds.ts';

/** What a process does of itself while its role is not `web`: runs, imports, the daily sweep, notices, refusals, the CRM's tokens and its opt-outs. */
export async function startWork(deps: Deps, shutdown: Shutdown): Promise<void> {
  const worker = await startWorker(deps, kinds);
  shutdown.add(() => worker.stop());
  const importer = startImporter(deps);
  shutdown.add(() => importer.stop());
  const dailySweep = startDailySweep(deps);
  shutdown.add(() => dailySweep.stop());
  const budgetNotices = startBudgetNotices(deps);
  shutdown.add(() => budgetNotices.stop());
  const suppressionNotices = startSuppressionNotices(deps);
  shutdown.add(() => suppressionNotices.stop());
  const refusals = startRefusals(deps);
  shutdown.add(() => refusals.stop());
  const crmPull = startCrmPull(deps);
  shutdown.add(() => crmPull.stop());
  const keeper = startCrmKeeper(deps);
  shutdown.add(() => keeper.stop());
}

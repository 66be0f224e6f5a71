import { startCrmKeeper } from './crm/crm-keeper.ts';
import type { Deps } from './deps.ts';
import { startBudgetNotices } from './features/budgets/start-budget-notices.ts';
import { startDailySweep } from './features/retention/start-daily-sweep.ts';
import type { Shutdown } from './process/shutdown.ts';
import { kinds } from './run-kinds.ts';
import { startWorker } from './runs/worker.ts';

/** What a process does of itself while its role is not `web`: runs, the daily sweep, notices of budgets, and the CRM's tokens. */
export async function startWork(deps: Deps, shutdown: Shutdown): Promise<void> {
  const worker = await startWorker(deps, kinds);
  shutdown.add(() => worker.stop());
  const dailySweep = startDailySweep(deps);
  shutdown.add(() => dailySweep.stop());
  const budgetNotices = startBudgetNotices(deps);
  shutdown.add(() => budgetNotices.stop());
  const keeper = startCrmKeeper(deps);
  shutdown.add(() => keeper.stop());
}

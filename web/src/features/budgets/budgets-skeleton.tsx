import { BUDGET_IDS } from '#contract/money/budgets.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** The form of budgets while it is read. */
export function BudgetsSkeleton() {
  return (
    <div role="status" className="grid gap-5">
      <span className="sr-only">Loading budgets</span>
      {BUDGET_IDS.map((id) => (
        <div key={id} className="grid items-end gap-x-6 gap-y-2 sm:grid-cols-[12rem_1fr]">
          <div className="grid gap-1.5">
            <Skeleton className="h-5 w-28" />
            <Skeleton className="h-9" />
          </div>
          <Skeleton className="mb-2 h-4" />
        </div>
      ))}
    </div>
  );
}

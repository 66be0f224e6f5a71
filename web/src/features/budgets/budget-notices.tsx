import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { useDrawn } from '#web/lib/query/use-drawn.ts';
import { budgetsQuery } from './api.ts';

const BudgetAlerts = lazy(async () => ({
  default: (await loadAgain(() => import('./budget-alerts.tsx'), 'BudgetAlerts')).BudgetAlerts,
}));

/** What there is to say of the month's budgets. Nothing while that is not known: the page is not about it. */
export function BudgetNotices({ enabled }: { enabled: boolean }) {
  const { data } = useQuery({ ...budgetsQuery, enabled: useDrawn() && enabled });
  if (!data || data.notices.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <BudgetAlerts budgets={data} />
    </Suspense>
  );
}

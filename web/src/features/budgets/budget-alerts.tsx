import { Link } from 'react-router';
import type { BudgetNotice, Budgets } from '#contract/money/budgets.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useDismissNotice } from './api.ts';
import { monthName } from './budget-words.ts';

const TONE = { 50: 'info', 80: 'warning', 100: 'danger' } as const;

/** How much of the month's budgets is spent, each until it is dismissed. */
export function BudgetAlerts({ budgets: { notices, month } }: { budgets: Budgets }) {
  const dismissing = useDismissNotice();
  const dismiss = (notice: BudgetNotice) =>
    dismissing.mutate(notice, { onError: (error) => toast.error('Not dismissed', errorMessage(error)) });
  return (
    <div className="grid grid-cols-1 gap-2">
      {notices.map((notice) => (
        <Alert
          key={`${notice.budget}-${notice.sandbox}`}
          tone={TONE[notice.percent]}
          title={titleOf(notice, month)}
          action={
            <>
              <Button size="sm" asChild>
                <Link to="/settings#budgets">See budgets</Link>
              </Button>
              <Button size="sm" aria-label={`Dismiss: ${titleOf(notice, month)}`} onClick={() => dismiss(notice)}>
                Dismiss
              </Button>
            </>
          }
        >
          {notice.percent === 100
            ? 'No more paid work can start under it this month.'
            : 'A run that may cost more than what is left will not start.'}
        </Alert>
      ))}
    </div>
  );
}

function titleOf({ budget, percent, sandbox }: BudgetNotice, month: string): string {
  const what = budget === 'month' ? 'budget' : `${PROVIDER_CATALOGUE[budget].name} budget`;
  return `${percent === 100 ? 'All' : `${percent}%`} of your ${sandbox ? 'sandbox ' : ''}${what} for ${monthName(month)} is spent`;
}

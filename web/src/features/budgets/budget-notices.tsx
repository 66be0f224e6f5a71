import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BudgetNotice } from '#contract/money/budgets.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { budgetsQuery, useDismissNotice } from './api.ts';
import { monthName } from './budget-words.ts';

const TONE = { 50: 'info', 80: 'warning', 100: 'danger' } as const;

/** How much of the month's budgets is spent, each until it is dismissed. Nothing while that is not known: the page is not about it. */
export function BudgetNotices({ enabled }: { enabled: boolean }) {
  const { data } = useQuery({ ...budgetsQuery, enabled });
  const dismissing = useDismissNotice();
  const dismiss = (notice: BudgetNotice) =>
    dismissing.mutate(notice, { onError: (error) => toast.error('Not dismissed', errorMessage(error)) });
  if (!data || data.notices.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-2">
      {data.notices.map((notice) => (
        <Alert
          key={`${notice.budget}-${notice.sandbox}`}
          tone={TONE[notice.percent]}
          title={titleOf(notice, data.month)}
          action={
            <>
              <Button size="sm" asChild>
                <Link to="/settings#budgets">See budgets</Link>
              </Button>
              <Button size="sm" aria-label={`Dismiss: ${titleOf(notice, data.month)}`} onClick={() => dismiss(notice)}>
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

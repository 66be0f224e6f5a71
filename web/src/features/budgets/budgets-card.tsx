import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BudgetLimits } from '#contract/money/budgets.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { budgetsQuery, useSetBudgets } from './api.ts';
import { BudgetsForm } from './budgets-form.tsx';
import { BudgetsSkeleton } from './budgets-skeleton.tsx';

/** What the signed-in person lets their runs cost, with what is spent of it. */
export function BudgetsCard() {
  const budgets = useQuery(budgetsQuery);
  const saving = useSetBudgets();
  const save = (limits: BudgetLimits) =>
    saving.mutate(limits, {
      onSuccess: () => toast.success('Budgets saved', 'They apply to every run you start from now on.'),
      onError: (error) => toast.error('Budgets not saved', errorMessage(error)),
    });
  return (
    <Card id="budgets" aria-label="Budgets" className="scroll-mt-20">
      <CardHeader>
        <CardTitle>Budgets</CardTitle>
        <CardDescription>
          In US dollars. Leave a field empty for no limit. A run starts only if the most it may cost fits. Months begin
          and end in UTC.{' '}
          <Link to="/usage" className="text-accent underline underline-offset-4">
            See your spending
          </Link>
        </CardDescription>
      </CardHeader>
      <CardContent>
        {budgets.data ? (
          <BudgetsForm name="own" items={budgets.data.items} hand="limitMicros" onSave={save} className="grid gap-5">
            {(fields) => (
              <>
                {fields}
                <Button type="submit" variant="primary" pending={saving.isPending} className="justify-self-start">
                  Save budgets
                </Button>
              </>
            )}
          </BudgetsForm>
        ) : budgets.error ? (
          <ReadFailed title="The budgets could not be loaded" query={budgets}>
            {errorMessage(budgets.error)}
          </ReadFailed>
        ) : (
          <BudgetsSkeleton />
        )}
      </CardContent>
    </Card>
  );
}

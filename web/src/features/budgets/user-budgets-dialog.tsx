import { useQuery } from '@tanstack/react-query';
import type { BudgetLimits } from '#contract/money/budgets.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { userBudgetsQuery, useSetUserBudgets } from './api.ts';
import { BudgetsForm } from './budgets-form.tsx';
import { BudgetsSkeleton } from './budgets-skeleton.tsx';

/** What administrators let someone's runs cost. */
export function UserBudgetsDialog({ user, onClose }: { user: { id: string; email: string }; onClose: () => void }) {
  const budgets = useQuery(userBudgetsQuery(user.id));
  const saving = useSetUserBudgets(user.id);
  const save = (limits: BudgetLimits) =>
    saving.mutate(limits, {
      onSuccess: () => {
        toast.success('Budgets saved', `They apply to every run that ${user.email} starts from now on.`);
        onClose();
      },
      onError: (error) => toast.error('Budgets not saved', errorMessage(error)),
    });
  return (
    <Dialog open onOpenChange={(open) => (open || saving.isPending ? undefined : onClose())}>
      <DialogContent
        title="Budgets"
        description={
          <>
            <bdi className="break-words">{user.email}</bdi> · in US dollars; leave empty for no limit
          </>
        }
        size="lg"
      >
        {budgets.data ? (
          <BudgetsForm
            name={user.id}
            items={budgets.data.items}
            hand="adminLimitMicros"
            onSave={save}
            className="contents"
          >
            {(fields) => (
              <>
                <DialogBody>
                  <div className="grid gap-5">{fields}</div>
                </DialogBody>
                <DialogFooter>
                  <DialogClose asChild>
                    <Button>Cancel</Button>
                  </DialogClose>
                  <Button type="submit" variant="primary" pending={saving.isPending}>
                    Save budgets
                  </Button>
                </DialogFooter>
              </>
            )}
          </BudgetsForm>
        ) : (
          <DialogBody>
            {budgets.error ? (
              <ReadFailed title="The budgets could not be loaded" query={budgets}>
                {errorMessage(budgets.error)}
              </ReadFailed>
            ) : (
              <BudgetsSkeleton />
            )}
          </DialogBody>
        )}
      </DialogContent>
    </Dialog>
  );
}

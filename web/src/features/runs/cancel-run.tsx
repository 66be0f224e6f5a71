import { lazy, Suspense, useState } from 'react';
import type { Run } from '#contract/work/runs.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useCancelRun } from './api.ts';
import { wordsOf } from './work-words.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await loadAgain(() => import('#web/ui/overlay/confirm-dialog.tsx'), 'ConfirmDialog')).ConfirmDialog,
}));

/** Ends an open run, after it has said what is kept and what was spent. `of` names the list for assistive technology. */
export function CancelRun({ run, of, ...looks }: { run: Run; of: string } & Pick<ButtonProps, 'size' | 'variant'>) {
  const [asked, setAsked] = useState(false);
  const cancel = useCancelRun();
  const noun = wordsOf(run).noun;
  const confirm = () =>
    cancel.mutate(run.id, {
      onSuccess: ({ cancelled }) => {
        setAsked(false);
        if (!cancelled) toast.info(`The ${noun} had already ended`);
      },
      onError: (error) => toast.error(`The ${noun} could not be canceled`, errorMessage(error)),
    });
  return (
    <>
      <Button {...looks} onClick={() => setAsked(true)}>
        Cancel
        <span className="sr-only">
          {' '}
          the {noun} of {of}
        </span>
      </Button>
      <Suspense fallback={null}>
        {asked ? (
          <ConfirmDialog
            open
            onOpenChange={setAsked}
            title={`Cancel the ${noun}?`}
            description={
              <>
                {run.state === 'queued' && run.costMicros === 0
                  ? 'It has not started, so you have spent nothing. '
                  : `You have spent ${formatMoney(run.costMicros)} so far, and you keep what was found. Requests already sent will finish. `}
                Nothing more is sent to the provider. You can continue later without paying again for what is already
                known.
              </>
            }
            confirmText={`Cancel ${noun}`}
            cancelText="Keep it running"
            destructive
            pending={cancel.isPending}
            onConfirm={confirm}
          />
        ) : null}
      </Suspense>
    </>
  );
}

import type { PaidCall } from '#contract/money/paid-calls.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import type { RunDetail } from '#contract/work/runs.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatRate, formatTime, plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useSettleCalls } from './api.ts';
import { ASKED, SHORT_NAME, subjectText, WHERE_CHARGED } from './call-words.ts';

/** One call to settle, or all of the run that are open. */
export type ToSettle = PaidCall | 'all';

/** Asks whether lost calls were charged: one of a run, or all of them. */
export function SettleDialog({ run, what, onClose }: { run: RunDetail; what: ToSettle; onClose: () => void }) {
  const settle = useSettleCalls();
  const provider = ASKED[run.kind];
  const one = what === 'all' ? undefined : what;
  const count = one ? 1 : (run.calls.uncertain ?? 0);
  const micros = one ? one.costMicros : run.uncertainMicros;
  const answer = (charged: boolean) =>
    settle.mutate(
      { ...(one ? { call_ids: [one.id] } : { run_id: run.id }), charged },
      {
        onSuccess: ({ settled }) => {
          onClose();
          toast.success(
            settled === 1 ? 'One call is settled' : `${plural(settled, 'call')} are settled`,
            charged ? 'The expected charge still counts as spent.' : 'The expected charge no longer counts as spent.',
          );
        },
        onError: (error) => toast.error('Nothing was settled', errorMessage(error)),
      },
    );
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title={one ? 'Was this charged?' : `Were these ${plural(count, 'call')} charged?`}
        description={one ? <span className="break-words">{subjectText(one)}</span> : undefined}
      >
        <DialogBody>
          <p>
            {`${SHORT_NAME[provider]} was called${one?.sentAt ? ` on ${formatTime(one.sentAt)}` : ''}, but its response did not arrive. `}
            {`Until you say what happened, ${formatRate(micros)} counts as spent`}
            {run.kind === 'compliance'
              ? `, and ${count === 1 ? 'this number is' : 'these numbers are'} not checked again.`
              : '.'}
          </p>
          <div className="rounded-lg border px-3 py-2">
            <p className="font-medium">Where to look</p>
            <p className="text-secondary">{WHERE_CHARGED[provider]}</p>
            <Button variant="link" size="sm" asChild className="mt-1">
              <a href={PROVIDER_CATALOGUE[provider].helpUrl} target="_blank" rel="noreferrer">
                {`Open ${SHORT_NAME[provider]}`}
              </a>
            </Button>
          </div>
          <p className="text-secondary">Either way, you can then try again. The new call is charged like any other.</p>
        </DialogBody>
        <DialogFooter>
          <Button pending={settle.isPending && settle.variables.charged} onClick={() => answer(true)}>
            {count === 1 ? 'It was charged' : 'All were charged'}
          </Button>
          <Button pending={settle.isPending && !settle.variables.charged} onClick={() => answer(false)}>
            {count === 1 ? 'It was not charged' : 'None was charged'}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

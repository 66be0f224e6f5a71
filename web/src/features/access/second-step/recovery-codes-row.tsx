import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { type RecoveryCodes, recoveryCodesQuery, useMakeCodes } from './recovery-api.ts';
import { CodesDialog } from './recovery-codes-dialog.tsx';

const left = ({ remaining, total }: RecoveryCodes): string =>
  remaining === 0 ? 'You have used them all. Make new ones.' : `${remaining} of ${total} left`;

/** The caller's recovery codes, below their second steps. Nothing where the backend offers none. */
export function RecoveryCodesRow() {
  const { data: codes } = useQuery(recoveryCodesQuery);
  const making = useMakeCodes();
  const [replacing, setReplacing] = useState(false);
  if (codes === undefined || codes === 'unavailable') return null;
  const make = () =>
    making.mutate(codes ? 'another' : 'first', {
      onError: (error) => toast.error('No codes were made', error.message),
      onSettled: () => setReplacing(false),
    });
  return (
    <div className="flex items-start gap-3 border-t pt-3">
      <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">Recovery codes</p>
        <p className="text-secondary text-sm">
          {codes ? left(codes) : 'Use one if you lose your second step. You have none yet.'}
        </p>
      </div>
      <Button size="sm" pending={making.isPending} onClick={codes ? () => setReplacing(true) : make}>
        {codes ? 'Make new codes' : 'Make codes'}
      </Button>
      {replacing ? (
        <ConfirmDialog
          open
          onOpenChange={setReplacing}
          title="Make new recovery codes?"
          description="Your current codes stop working right away."
          confirmText="Make new codes"
          pending={making.isPending}
          onConfirm={make}
        />
      ) : null}
      {making.data ? <CodesDialog codes={making.data} onClose={making.reset} /> : null}
    </div>
  );
}

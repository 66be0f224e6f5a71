import { formatPhone } from '#web/lib/format/format.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

const WORDS = {
  do_not_call: { title: 'Never call this number again?', why: 'They asked not to be called.', confirm: 'Do Not Call' },
  wrong_number: {
    title: 'Suppress this wrong number?',
    why: 'Someone else answers it, who has not asked for calls.',
    confirm: 'Wrong Number',
  },
} as const;

/** Asks before an outcome that only an administrator can undo. */
export function SuppressDialog({
  outcome,
  number,
  practice,
  isBusy,
  onConfirm,
  onClose,
}: {
  outcome: keyof typeof WORDS;
  number: string;
  practice: boolean;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { title, why, confirm } = WORDS[outcome];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description={
        practice
          ? `${why} This is practice: in a real list ${formatPhone(number)} would now be suppressed for everyone here.`
          : `${why} ${formatPhone(number)} is suppressed at once, in every list and for everyone here. Only an administrator can let it go.`
      }
      confirmText={confirm}
      destructive
      pending={isBusy}
      onConfirm={onConfirm}
    />
  );
}

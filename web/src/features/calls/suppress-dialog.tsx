import { formatPhone } from '#web/lib/format/format.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

const WORDS = {
  do_not_call: {
    title: 'Never call this number again?',
    why: 'They asked not to be called.',
    others: ', and so are other numbers that leads show of the same business',
    confirm: 'Do Not Call',
  },
  wrong_number: {
    title: 'Suppress this wrong number?',
    why: 'Someone else answers it, who has not asked for calls.',
    others: '',
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
  const { title, why, others, confirm } = WORDS[outcome];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description={
        practice
          ? `${why} This is practice: in a real list ${formatPhone(number)} would now be suppressed for everyone here.`
          : `${why} ${formatPhone(number)} is suppressed at once, in every list and for everyone here${others}. Only an administrator can remove it.`
      }
      confirmText={confirm}
      destructive
      pending={isBusy}
      onConfirm={onConfirm}
    />
  );
}

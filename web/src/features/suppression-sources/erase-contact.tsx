import { useState } from 'react';
import { ERASABLE_KINDS } from '#contract/calling/suppression-sources.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useEraseContact } from './api.ts';

const LABELS: Record<(typeof ERASABLE_KINDS)[number], string> = {
  phone: 'Phone',
  email: 'Email',
  business: 'Business (place ID)',
};
const OPTIONS = ERASABLE_KINDS.map((value) => ({ value, label: LABELS[value] }));

/** The right to erasure: a contact goes for good, and cannot come back. */
export function EraseContact({ erasedText }: { erasedText: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Erasure" className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">Erase a contact</p>
        <p className="text-secondary text-sm">
          For someone who asks for it by law. Their leads are removed from every list, and a keyed hash keeps them out.{' '}
          {erasedText}
        </p>
      </div>
      <Button size="sm" variant="ghost" className="text-danger" onClick={() => setOpen(true)}>
        Erase…
      </Button>
      {open ? <EraseDialog onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

function EraseDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<(typeof ERASABLE_KINDS)[number]>('phone');
  const [value, setValue] = useState('');
  const [missing, setMissing] = useState(false);
  const erasing = useEraseContact();
  const erase = () => {
    setMissing(value.trim() === '');
    if (value.trim() === '') return;
    erasing.mutate(
      { kind, value: value.trim() },
      {
        onSuccess: ({ leads, files, exports, known }) => {
          toast.success(
            known ? 'It was erased before' : 'Erased',
            `${plural(leads, 'lead')} deleted, ${plural(files, 'kept file')} to be removed within ten minutes.${exports > 0 ? ` ${plural(exports, 'past export')} held it: owners who were not told yet get an email.` : ''}`,
          );
          onClose();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Erase this contact for good?"
      description="Every lead with it is deleted, for everyone, with its entry, notes about it and remembered answers. This cannot be undone. Files outside Fairlead stay: we email the owners of exports that held it."
      confirmText="Erase"
      destructive
      pending={erasing.isPending}
      refused={erasing.error ? errorMessage(erasing.error) : undefined}
      onConfirm={erase}
    >
      <div className="grid gap-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <Field label="Kind">
          <Select value={kind} onValueChange={setKind} options={OPTIONS} />
        </Field>
        <Field label="What to erase" error={missing ? 'Enter what is to be erased.' : undefined}>
          <Input
            autoComplete="off"
            spellCheck={false}
            maxLength={320}
            value={value}
            onChange={(event) => {
              setValue(event.target.value);
              setMissing(false);
            }}
          />
        </Field>
      </div>
    </ConfirmDialog>
  );
}

import type { Ref } from 'react';
import { MOST_NOTE } from '#contract/calling/calls.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';

/** The note on this call. Escape leaves it, so that the keys of the sheet work again. */
export function NoteField({
  note,
  onChange,
  field,
}: {
  note: string;
  onChange: (note: string) => void;
  field: Ref<HTMLDivElement>;
}) {
  return (
    <div ref={field}>
      <Field label="Note" hint="Kept in this tab as you type, and logged with the outcome. Only you can read it.">
        <Textarea
          dir="auto"
          rows={3}
          maxLength={MOST_NOTE}
          aria-keyshortcuts="e"
          value={note}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      </Field>
    </div>
  );
}

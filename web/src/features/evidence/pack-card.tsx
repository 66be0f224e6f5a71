import { FileArchive } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatBytes } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select, type SelectOption } from '#web/ui/form/select.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { useDownloadPack } from './api.ts';
import { BY_ID, EMPTY_FORM, faultsOf, type PackFaults, PackForm, questionOf } from './pack-question.ts';

/** Something to choose from; its id is empty for all. */
type Option = { id: string; name: string };
const optionsOf = (all: string, some: readonly Option[]): SelectOption<string>[] => [
  { value: '', label: all },
  ...some.map(({ id, name }) => ({ value: id, label: name })),
];

/** Asks for a pack of entries. `people`: for administrators, who may ask for everyone's. */
export function PackCard({ lists, people }: { lists: readonly Option[]; people: readonly Option[] | undefined }) {
  const [form, setForm] = useDraftState('evidence-pack', PackForm, EMPTY_FORM);
  const [faults, setFaults] = useState<PackFaults>({});
  const [bytes, setBytes] = useState(0);
  const packing = useDownloadPack(setBytes);
  const change = (next: Partial<PackForm>) => {
    setForm({ ...form, ...next });
    setFaults({});
    if (packing.isError) packing.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (packing.isPending) return;
    const question = questionOf(form);
    const found = faultsOf(question);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    packing.mutate(question, {
      onSuccess: () => toast.success('Evidence pack downloaded', 'README.txt in it says how to check it.'),
    });
  };
  return (
    <Card aria-label="Evidence pack">
      <CardHeader>
        <CardTitle>Evidence pack</CardTitle>
        <CardDescription>
          Entries with their proof, and a program that checks them on any computer with Node. Leave a field empty to ask
          for all of it.
        </CardDescription>
      </CardHeader>
      <CardContent>
        <form onSubmit={submit} noValidate className="grid items-start gap-3 sm:grid-cols-2">
          <Field label="Phone number" error={faults.phone}>
            <Input
              type="tel"
              autoComplete="off"
              maxLength={40}
              placeholder="(217) 555-0100"
              value={form.phone}
              onChange={(event) => change({ phone: event.target.value })}
            />
          </Field>
          <Field label="List">
            <Select
              value={form.listId}
              onValueChange={(listId) => change({ listId })}
              options={[...optionsOf('All lists', lists), { value: BY_ID, label: 'A list by its ID' }]}
            />
          </Field>
          {form.listId === BY_ID ? (
            <Field
              label="List ID"
              hint="Find it in the address of the list’s page, or in the evidence file of an export. The list may be gone."
              error={faults.listId}
              className="sm:col-span-2"
            >
              <Input
                autoComplete="off"
                maxLength={40}
                value={form.namedId}
                onChange={(event) => change({ namedId: event.target.value })}
              />
            </Field>
          ) : null}
          <Field label="First day">
            <Input
              type="date"
              value={form.from}
              max={form.to || undefined}
              onChange={(event) => change({ from: event.target.value })}
            />
          </Field>
          <Field label="Last day" error={faults.to}>
            <Input
              type="date"
              value={form.to}
              min={form.from || undefined}
              onChange={(event) => change({ to: event.target.value })}
            />
          </Field>
          <Field
            label="Export ID"
            hint="Find it in the evidence file that comes with the export."
            error={faults.exportId}
            className="sm:col-span-2"
          >
            <Input
              autoComplete="off"
              maxLength={40}
              value={form.exportId}
              onChange={(event) => change({ exportId: event.target.value })}
            />
          </Field>
          <Field
            label="Prove entry"
            hint="The number of an entry whose hash you have, for example from a daily email. You can then check the pack against that hash."
            error={faults.proveEntry}
            className="sm:col-span-2"
          >
            <Input
              autoComplete="off"
              inputMode="numeric"
              maxLength={20}
              value={form.proveEntry}
              onChange={(event) => change({ proveEntry: event.target.value })}
            />
          </Field>
          {people ? (
            <Field label="Done by" className="sm:col-span-2">
              <Select
                value={form.userId}
                onValueChange={(userId) => change({ userId })}
                options={optionsOf('Everyone', people)}
              />
            </Field>
          ) : null}
          {packing.error ? (
            <Alert tone="danger" title="No pack was made" className="sm:col-span-2">
              {errorMessage(packing.error)}
            </Alert>
          ) : null}
          <div className="flex flex-wrap items-center gap-3 sm:col-span-2">
            <Button type="submit" variant="primary" pending={packing.isPending}>
              <FileArchive aria-hidden />
              Download Pack
            </Button>
            <p role="status" className="text-secondary text-sm tabular-nums">
              {packing.isPending && bytes > 0 ? formatBytes(bytes) : ''}
            </p>
          </div>
        </form>
      </CardContent>
    </Card>
  );
}

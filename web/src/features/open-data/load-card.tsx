import { useQuery } from '@tanstack/react-query';
import { z } from 'zod/mini';
import { BOX_WORDS, readBox } from '#contract/admin/bounding-box.ts';
import { startImportEndpoint } from '#contract/admin/open-data.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatBytes, plural } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { CheckboxChoice, RadioChoice } from '#web/ui/form/choice.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { importsQuery, useStartImport } from './api.ts';

/** What is taken of places that these files lack. Nothing said: many of them stop the import. */
const MISSING = ['some', 'part', 'whole'] as const;
type Missing = (typeof MISSING)[number];
const MISSING_WORDS: Readonly<Record<Missing, { label: string; description: string }>> = {
  some: {
    label: 'A new release',
    description:
      'Places missing from these files are marked as gone. If more than a fifth would be gone, the import stops.',
  },
  part: { label: 'Only a part', description: 'Places missing from these files are kept.' },
  whole: {
    label: 'The complete data',
    description: 'Places missing from these files are marked as gone, no matter how many.',
  },
};

const text = z.string();
const Draft = z.object({
  chosen: z.array(text),
  said: z.object({ bbox: text, state: text, source: text, license: text, release: text }),
  missing: z.enum(MISSING),
});
type Draft = z.output<typeof Draft>;
const UNTOUCHED: Draft = {
  chosen: [],
  said: { bbox: '', state: '', source: '', license: '', release: '' },
  missing: 'some',
};

/** What is said in words, and of it what only a CSV file needs. */
const WORDS = ['state', 'release', 'source', 'license'] as const;
const OF_CSV: readonly (typeof WORDS)[number][] = ['source', 'license'];
const wrongWith = (name: (typeof WORDS)[number], value: string): string | undefined =>
  startImportEndpoint.body.shape[name].safeParse(value).error?.issues[0]?.message;

/** Loads files that lie in one folder of the server. */
export function LoadCard() {
  const imports = useQuery(importsQuery);
  const [draft, setDraft, clear] = useDraftState('load-files', Draft, UNTOUCHED);
  const { said, missing } = draft;
  const starting = useStartImport();
  const files = imports.data?.files ?? [];
  const chosen = imports.data ? draft.chosen.filter((name) => files.some((file) => file.name === name)) : draft.chosen;
  const isCsv = chosen.some((name) => /\.csv(\.gz)?$/i.test(name));
  const isBusy = imports.data?.imports.some(({ atWork }) => atWork) ?? false;
  const area = said.bbox.trim();
  const bbox = area ? readBox(area) : undefined;
  const shown = WORDS.filter((name) => isCsv || !OF_CSV.includes(name));
  const words = shown.flatMap((name) => (said[name].trim() ? [[name, said[name].trim()] as const] : []));
  const errors: Partial<Record<keyof Draft['said'], string>> = {
    ...Object.fromEntries(words.map(([name, value]) => [name, wrongWith(name, value)])),
    ...(area && !bbox ? { bbox: `${BOX_WORDS}.` } : {}),
  };
  const isWrong = Object.values(errors).some((error) => error !== undefined);
  const start = () => {
    const wanted = {
      files: chosen,
      ...Object.fromEntries(words),
      ...(bbox ? { bbox } : {}),
      ...(missing === 'some' ? {} : { missing }),
    };
    starting.mutate(wanted, { onSuccess: clear });
  };
  const field = (name: keyof Draft['said'], label: string, hint: string) => (
    <Field label={label} hint={hint} error={errors[name]}>
      <Input
        value={said[name]}
        autoComplete="off"
        onChange={({ target }) => setDraft({ ...draft, said: { ...said, [name]: target.value } })}
      />
    </Field>
  );
  return (
    <Card aria-label="Load files">
      <CardHeader>
        <CardTitle>Load files</CardTitle>
        <CardDescription>
          {imports.data ? (
            <>
              Files in <code className="[overflow-wrap:anywhere]">{imports.data.folder}</code> on the server: Overture,
              Foursquare, AllThePlaces, OpenStreetMap or CSV.
            </>
          ) : (
            'Files in a folder on the server.'
          )}
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        {imports.isError && !imports.data ? (
          <ReadFailed title="The folder could not be read" query={imports}>
            {errorMessage(imports.error)}
          </ReadFailed>
        ) : !imports.data ? (
          <Skeleton className="h-12" />
        ) : files.length === 0 ? (
          <p className="text-secondary text-sm">The folder is empty. Put files there, then reload this page.</p>
        ) : (
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-medium">Files</legend>
            {files.map(({ name, bytes }) => (
              <CheckboxChoice
                key={name}
                label={<span className="[overflow-wrap:anywhere]">{name}</span>}
                aside={formatBytes(bytes)}
                checked={chosen.includes(name)}
                onCheckedChange={(checked) =>
                  setDraft({
                    ...draft,
                    chosen: checked ? [...chosen, name] : chosen.filter((other) => other !== name),
                  })
                }
              />
            ))}
          </fieldset>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          {field('state', 'Only one state', 'Two letters, such as IL')}
          {field('bbox', 'Only one area', 'West, south, east and north in degrees: -89.8,39.6,-89.5,39.9')}
          {field('release', 'Release', 'Such as 2026-09-23, if the files do not say it')}
          {isCsv
            ? field(
                'source',
                'Source',
                'Where a CSV file comes from, in lower-case letters, digits and hyphens: city-register',
              )
            : null}
          {isCsv ? field('license', 'License', 'Such as CC-BY-4.0') : null}
        </div>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-medium">These files are</legend>
          <RadioGroup
            value={missing}
            onValueChange={(value) => setDraft({ ...draft, missing: value as Missing })}
            aria-label="These files are"
          >
            {MISSING.map((value) => (
              <RadioChoice key={value} value={value} {...MISSING_WORDS[value]} />
            ))}
          </RadioGroup>
        </fieldset>
        {starting.error ? (
          <Alert tone="danger" title="The import did not start">
            {errorMessage(starting.error)}
          </Alert>
        ) : null}
        <Button
          variant="primary"
          className="justify-self-start"
          disabled={chosen.length === 0 || isBusy || isWrong}
          pending={starting.isPending}
          onClick={start}
        >
          {isBusy
            ? 'An import is under way'
            : chosen.length === 0
              ? 'Load files'
              : `Load ${plural(chosen.length, 'file')}`}
        </Button>
      </CardContent>
    </Card>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { SessionEnds } from '#contract/access/session-ends.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatHours } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { sessionEndsQuery, useSetSessionEnds } from './session-ends-api.ts';

/** The spans that are offered, in hours. */
const SPANS = [2, 8, 24, 168, 336, 720, 1440, 2160, 4320, 8760];

/** After how long people have to sign in again. */
export function SessionEndsCard() {
  const ends = useQuery(sessionEndsQuery);
  return (
    <Card aria-label="End of sessions">
      <CardHeader>
        <CardTitle>End of sessions</CardTitle>
        <CardDescription>After how long people have to sign in again.</CardDescription>
      </CardHeader>
      <CardContent>
        {ends.data ? <EndsForm key={`${ends.data.idle_hours} ${ends.data.max_hours}`} saved={ends.data} /> : null}
        {ends.data === null ? (
          <p className="text-secondary">
            Supabase manages sessions here. Set when they end in your Supabase project, under Authentication → Sessions.
          </p>
        ) : null}
        {ends.data === undefined && ends.error ? (
          <ReadFailed title="Failed to load when sessions end" query={ends}>
            {errorMessage(ends.error)}
          </ReadFailed>
        ) : null}
        {ends.isPending ? (
          <div role="status" className="grid gap-4 sm:grid-cols-2">
            <span className="sr-only">Loading when sessions end</span>
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </div>
        ) : null}
      </CardContent>
    </Card>
  );
}

/** The offered spans, and the one that is set, from short to long. */
const optionsWith = (set: number, most = Number.POSITIVE_INFINITY) =>
  [...new Set([...SPANS, set])]
    .sort((one, other) => one - other)
    .filter((hours) => hours <= most)
    .map((hours) => ({ value: String(hours), label: formatHours(hours) }));

function EndsForm({ saved }: { saved: SessionEnds }) {
  const [ends, setEnds, clear] = useDraftState('session-ends', SessionEnds, saved);
  const saving = useSetSessionEnds();
  const isChanged = ends.idle_hours !== saved.idle_hours || ends.max_hours !== saved.max_hours;
  const isShorter = ends.idle_hours < saved.idle_hours || ends.max_hours < saved.max_hours;
  const setMax = (value: string) => {
    const max = Number(value);
    setEnds({ max_hours: max, idle_hours: Math.min(ends.idle_hours, max) });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(ends, {
      onSuccess: () => {
        clear();
        toast.success('Saved', 'The new limits apply to every session.');
      },
      onError: (error) => toast.error('Save failed', errorMessage(error)),
    });
  };
  return (
    <form onSubmit={save} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Without use" hint="A session that no one uses for this long ends.">
          <Select
            value={String(ends.idle_hours)}
            onValueChange={(value) => setEnds({ ...ends, idle_hours: Number(value) })}
            options={optionsWith(ends.idle_hours, ends.max_hours)}
          />
        </Field>
        <Field label="In total" hint="Every session ends this long after the sign-in.">
          <Select value={String(ends.max_hours)} onValueChange={setMax} options={optionsWith(ends.max_hours)} />
        </Field>
      </div>
      {isShorter ? (
        <p className="text-secondary text-sm">
          Sessions that are already past the new limits end when you save. That can include yours.
        </p>
      ) : null}
      <div>
        <Button type="submit" variant="primary" disabled={!isChanged} pending={saving.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

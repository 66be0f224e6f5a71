import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { z } from 'zod/mini';
import { LATEST_CALL_BACK_MS } from '#contract/calling/calls.ts';
import { formatTimesIn } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { callabilityAt } from './api.ts';
import { timesIn } from './local-time.ts';

const HOUR_MS = 3_600_000;
const QUICK = [
  { label: 'In 1 hour', after: HOUR_MS },
  { label: 'In 3 hours', after: 3 * HOUR_MS },
  { label: 'Tomorrow', after: 24 * HOUR_MS },
  { label: 'In a week', after: 7 * 24 * HOUR_MS },
];

/** A moment in ms as a field for local times has it: 2026-11-24T15:00. */
function fieldOf(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Without a zone, the clocks there are not those of the reader. */
const timeThere = (zones: readonly string[], iso: string, now: number): string =>
  zones.length > 0 ? `There: ${timesIn(zones, iso, now)}` : 'The time there is not known.';

/** Asks when to call back, in the caller's own time, and warns where the rules would not allow a call then. */
export function CallBackForm({
  leadId,
  now,
  isBusy,
  onSave,
  onCancel,
}: {
  leadId: string;
  /** The server's time in ms. */
  now: number;
  isBusy: boolean;
  onSave: (callBackAt: string) => void;
  onCancel: () => void;
}) {
  const [value, setValue, clear] = useDraftState(`call-back:${leadId}`, z.string(), fieldOf(now + HOUR_MS));
  const at = Date.parse(value);
  const iso = Number.isNaN(at) ? '' : new Date(at).toISOString();
  const problem =
    iso === ''
      ? 'Enter a day and a time.'
      : at <= now
        ? 'This time has passed.'
        : at - now > LATEST_CALL_BACK_MS
          ? 'The time to call back may be at most a year ahead.'
          : undefined;
  const then = useQuery(callabilityAt(leadId, problem ? '' : iso));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem) onSave(iso);
  };
  const cancel = () => {
    clear();
    onCancel();
  };
  return (
    <form
      aria-label="Call back"
      onSubmit={submit}
      noValidate
      className="grid gap-3 rounded-lg border bg-muted p-4"
      onKeyDown={(event) => {
        if (event.key === 'Escape') cancel();
      }}
    >
      <Field
        label="Call back at (your time)"
        error={problem}
        hint={then.data && !problem ? timeThere(then.data.zones, iso, now) : undefined}
      >
        <Input autoFocus type="datetime-local" value={value} onChange={(event) => setValue(event.target.value)} />
      </Field>
      <div className="flex flex-wrap gap-2">
        {QUICK.map(({ label, after }) => (
          <Button key={label} size="sm" onClick={() => setValue(fieldOf(now + after))}>
            {label}
          </Button>
        ))}
      </div>
      {then.data && !problem && then.data.window.state !== 'open' ? (
        <Alert tone="warning" title="No call may begin at that time">
          {formatTimesIn(
            (then.data.reasons.find(({ code }) => code === 'hours' || code === 'holiday') ?? then.data.reasons[0])
              ?.text ?? '',
          )}
          {then.data.callFrom ? ` Calls may begin from ${timesIn(then.data.zones, then.data.callFrom, now)}.` : ''}
        </Alert>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={cancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={isBusy}>
          Save Call Back
        </Button>
      </div>
    </form>
  );
}

import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { LEAD_PARTS, type LeadFilter, type LeadPart } from '#contract/work/lead-choice.ts';
import { CALL_OPTIONS } from '#web/lib/calling/call-words.ts';
import { Button } from '#web/ui/button.tsx';
import { DayInput } from '#web/ui/form/day-input.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '#web/ui/overlay/popover.tsx';
import { filterWords, PRESENCE_OPTIONS, presenceOf, VERDICT_OPTIONS, withPresence } from './filter-words.ts';

const LABELS: Record<LeadPart, string> = { phone: 'Phone', email: 'Email', website: 'Website', owner: 'Owner' };
const CONFIDENCES = [50, 70, 80, 90, 95] as const;

type Props = { filter: LeadFilter; onChange: (filter: LeadFilter) => void };

/** Narrows the table to leads that have, or lack, something. */
export function FiltersMenu(props: Props) {
  const set = filterWords(props.filter).length;
  return (
    <Popover>
      <PopoverTrigger>
        <Button className="print:hidden">
          <ListFilter aria-hidden />
          {set > 0 ? `Filters (${set})` : 'Filters'}
        </Button>
      </PopoverTrigger>
      <PopoverContent label="Filters" align="start" className="w-80 max-w-[calc(100vw-1rem)]">
        <Filters {...props} />
      </PopoverContent>
    </Popover>
  );
}

function Filters({ filter, onChange }: Props) {
  const { verdict, call, confidence } = filter;
  const levels = [...new Set([...CONFIDENCES, ...(confidence === undefined ? [] : [confidence])])];
  return (
    <div className="grid grid-cols-2 gap-3 p-3">
      {LEAD_PARTS.map((part) => (
        <Field key={part} label={LABELS[part]}>
          <Select
            size="sm"
            value={presenceOf(filter, part)}
            onValueChange={(presence) => onChange(withPresence(filter, part, presence))}
            options={PRESENCE_OPTIONS(part)}
          />
        </Field>
      ))}
      <Field label="Compliance">
        <Select
          size="sm"
          value={verdict ?? 'any'}
          onValueChange={(next) => onChange({ ...filter, verdict: next === 'any' ? undefined : next })}
          options={VERDICT_OPTIONS}
        />
      </Field>
      <Field label="Call">
        <Select
          size="sm"
          value={call ?? 'any'}
          onValueChange={(next) => onChange({ ...filter, call: next === 'any' ? undefined : next })}
          options={CALL_OPTIONS}
        />
      </Field>
      <Field label="Email confidence" className="col-span-2">
        <Select
          size="sm"
          value={String(confidence ?? 'any')}
          onValueChange={(next) => onChange({ ...filter, confidence: next === 'any' ? undefined : Number(next) })}
          options={[
            { value: 'any', label: 'Any' },
            ...levels.map((level) => ({ value: String(level), label: `${level}% or more` })),
          ]}
        />
      </Field>
      <TextFilter label="City" value={filter.city} onChange={(city) => onChange({ ...filter, city })} />
      <TextFilter
        label="ZIP code"
        value={filter.zip}
        isWhole={(zip) => /^\d{5}$/.test(zip)}
        error="Enter five digits."
        onChange={(zip) => onChange({ ...filter, zip })}
      />
      <Field label="Added since" className="col-span-2">
        <DayInput
          label="Added since"
          value={filter.since ?? ''}
          onChange={(since) => onChange({ ...filter, since: since || undefined })}
        />
      </Field>
    </div>
  );
}

/** A text that counts once it is whole: after Enter, or when the field is left. */
function TextFilter({
  label,
  value = '',
  isWhole = () => true,
  error,
  onChange,
}: {
  label: string;
  value: string | undefined;
  isWhole?: (text: string) => boolean;
  error?: string;
  onChange: (text: string | undefined) => void;
}) {
  const [draft, setDraft] = useState(value);
  const [isWrong, setWrong] = useState(false);
  const finish = () => {
    const text = draft.trim();
    const wrong = text !== '' && !isWhole(text);
    setWrong(wrong);
    if (!wrong && text !== value) onChange(text || undefined);
  };
  return (
    <Field label={label} error={isWrong ? error : undefined}>
      <Input
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => (event.key === 'Enter' ? finish() : undefined)}
        className="h-8"
      />
    </Field>
  );
}

/** What the table is narrowed to besides the text, each with a way to take it away. */
export function ActiveFilters({ filter, onChange }: Props) {
  const words = filterWords(filter);
  if (words.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {words.map(({ text, without }) => (
        <li key={text}>
          <Button
            size="sm"
            className="print:hidden"
            aria-label={`Remove filter: ${text}`}
            onClick={() => onChange(without)}
          >
            {text}
            <X aria-hidden />
          </Button>
          <span className="hidden print:inline">{text}</span>
        </li>
      ))}
    </ul>
  );
}

import { useState } from 'react';
import { type Area, MOST_ZIPS } from '#contract/work/search/areas.ts';
import { plural } from '#web/lib/format/format.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import type { NamedArea } from './named-area.ts';

/** Several ZIP codes, typed or pasted with anything between them. */
export function ZipField({
  area,
  onChange,
}: {
  area: Extract<Area, { kind: 'zips' }> | undefined;
  onChange: (value: NamedArea) => void;
}) {
  const [text, setText] = useState(area?.codes.join(', ') ?? '');
  const { codes, error } = readZips(text);
  const change = (next: string) => {
    setText(next);
    const read = readZips(next);
    if (read.error || read.codes.length === 0) onChange({ area: undefined, location: '' });
    else onChange({ area: { kind: 'zips', codes: read.codes }, location: zipsName(read.codes) });
  };
  return (
    <Field
      label="ZIP codes"
      error={error}
      hint={codes.length > 1 ? plural(codes.length, 'ZIP code') : 'Separate several with commas, spaces or new lines'}
      required
    >
      <Textarea
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder="62701, 62702, 62703"
        autoComplete="off"
        rows={2}
      />
    </Field>
  );
}

export function readZips(text: string): { codes: string[]; error?: string } {
  const codes = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
  const wrong = codes.find((code) => !/^\d{5}$/.test(code));
  if (wrong !== undefined) return { codes: [], error: `“${wrong.slice(0, 20)}” is not a ZIP code of five digits` };
  if (codes.length > MOST_ZIPS) return { codes: [], error: `Enter at most ${MOST_ZIPS} ZIP codes` };
  return { codes };
}

/** "62701" or "62701 and 11 more ZIP codes". */
function zipsName([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${plural(others.length, 'more ZIP code', 'more ZIP codes')}`;
}

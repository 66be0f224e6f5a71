import { useState } from 'react';
import type { Area } from '#contract/work/areas.ts';
import { plural } from '#web/lib/format/format.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import type { NamedArea } from './named-area.ts';
import { readGeometry } from './read-geometry.ts';

/** What a drawn or pasted area is called. */
const NAME = 'a drawn area';

/** An area as GeoJSON text. Whether its rings are sound is for the server to say, which names the ring. */
export function PolygonField({
  area,
  onChange,
}: {
  area: Extract<Area, { kind: 'polygon' }> | undefined;
  onChange: (value: NamedArea) => void;
}) {
  const [text, setText] = useState(area ? JSON.stringify(area.geometry) : '');
  const read = readGeometry(text);
  const change = (next: string) => {
    setText(next);
    const { geometry } = readGeometry(next);
    onChange(geometry ? { area: { kind: 'polygon', geometry }, location: NAME } : { area: undefined, location: '' });
  };
  const corners = read.geometry?.coordinates.flat(read.geometry.type === 'Polygon' ? 1 : 2).length;
  return (
    <Field
      label="Shape"
      error={read.error}
      hint={
        corners === undefined
          ? 'A Polygon or MultiPolygon in degrees, longitude first. Rings inside are holes.'
          : plural(corners, 'point')
      }
      required
    >
      <Textarea
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder='{"type":"Polygon","coordinates":[[[-89.7,39.7],[-89.6,39.7],[-89.6,39.8],[-89.7,39.7]]]}'
        autoComplete="off"
        spellCheck={false}
        rows={4}
        className="max-h-48 font-mono text-sm"
      />
    </Field>
  );
}

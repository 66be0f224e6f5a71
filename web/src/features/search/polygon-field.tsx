import { type ReactNode, useState } from 'react';
import type { Area } from '#contract/work/areas.ts';
import { plural } from '#web/lib/format/format.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import type { MapEdit } from '#web/ui/map/map-view.tsx';
import type { NamedArea } from './named-area.ts';
import { readGeometry } from './read-geometry.ts';

/** What a drawn or pasted area is called. */
const NAME = 'a drawn area';

/** An area as GeoJSON text. Whether its rings are sound is for the server to say, which names the ring. */
export function PolygonField({
  area,
  onChange,
  map,
}: {
  area: Extract<Area, { kind: 'polygon' }> | undefined;
  onChange: (value: NamedArea) => void;
  map: (edit: MapEdit) => ReactNode;
}) {
  const [text, setText] = useState(area ? JSON.stringify(area.geometry) : '');
  const read = readGeometry(text);
  const change = (next: string) => {
    setText(next);
    const { geometry } = readGeometry(next);
    onChange(geometry ? { area: { kind: 'polygon', geometry }, location: NAME } : { area: undefined, location: '' });
  };
  const draw = (polygons: number[][][][]) => {
    const [first, ...others] = polygons;
    if (!first) change('');
    else
      change(
        JSON.stringify(
          others.length === 0
            ? { type: 'Polygon', coordinates: first }
            : { type: 'MultiPolygon', coordinates: polygons },
        ),
      );
  };
  const corners = read.geometry?.coordinates.flat(read.geometry.type === 'Polygon' ? 1 : 2).length;
  return (
    <>
      {map({ kind: 'shape', onChange: draw })}
      <Field
        label="Shape"
        error={read.error}
        hint={
          corners === undefined
            ? 'Draw it on the map, or paste GeoJSON: a Polygon or MultiPolygon in degrees, longitude first.'
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
    </>
  );
}

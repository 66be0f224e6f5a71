import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Area, Geometry } from '#contract/work/search/areas.ts';
import { outlineQuery } from '#web/lib/areas/outline-query.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import type { MapEdit } from '#web/ui/map/map-view.tsx';
import type { NamedArea } from './named-area.ts';
import { countPoints, readGeometry } from './read-geometry.ts';

/** What a drawn or pasted area is called. */
export const DRAWN = 'a drawn area';

type Props = { onChange: (value: NamedArea) => void; map: (edit: MapEdit) => ReactNode };

/** A drawn or pasted area. One that was counted before is fetched, so that it can be seen and changed. */
export function PolygonField({
  area,
  ...props
}: Props & { area: Extract<Area, { kind: 'polygon' | 'counted' }> | undefined }) {
  const [before] = useState(area?.kind === 'counted' ? area : undefined);
  const outline = useQuery(outlineQuery(before && { area: before }));
  if (before && outline.isPending)
    return (
      <Field label="Shape">
        <Skeleton className="h-24" />
      </Field>
    );
  const drawn = area?.kind === 'polygon' ? area.geometry : undefined;
  return (
    <>
      {outline.error ? (
        <p role="alert" className="text-danger text-sm">
          {errorMessage(outline.error)}
        </p>
      ) : null}
      <GeometryField {...props} start={drawn ?? outline.data?.outline ?? undefined} />
    </>
  );
}

/** An area as GeoJSON text. Whether its rings are sound is for the server to say, which names the ring. */
function GeometryField({ start, onChange, map }: Props & { start: Geometry | undefined }) {
  const [text, setText] = useState(start ? JSON.stringify(start) : '');
  const read = readGeometry(text);
  const change = (next: string) => {
    setText(next);
    const { geometry } = readGeometry(next);
    onChange(geometry ? { area: { kind: 'polygon', geometry }, location: DRAWN } : { area: undefined, location: '' });
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
  const points = read.geometry && countPoints(read.geometry);
  return (
    <>
      {map({ kind: 'shape', onChange: draw })}
      <Field
        label="Shape"
        error={read.error}
        hint={
          points === undefined
            ? 'Draw it on the map, or paste GeoJSON: a Polygon or MultiPolygon in degrees, longitude first.'
            : plural(points, 'point')
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

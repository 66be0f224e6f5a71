import { type ReactNode, useState } from 'react';
import type { Area } from '#contract/work/search/areas.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import type { MapEdit } from '#web/ui/map/map-view.tsx';
import type { NamedArea } from './named-area.ts';

type Point = { latitude: number; longitude: number };

/** The center of a circle, in degrees or by a click on the map. */
export function PointFields({
  area,
  onChange,
  map,
}: {
  area: Extract<Area, { kind: 'circle' }> | undefined;
  onChange: (value: NamedArea) => void;
  map: (edit: MapEdit) => ReactNode;
}) {
  const { center } = area ?? {};
  const [text, setText] = useState({ latitude: textOf(center?.latitude), longitude: textOf(center?.longitude) });
  const [latitude, longitude] = [readDegrees(text.latitude, 90), readDegrees(text.longitude, 180)];
  const change = (next: typeof text) => {
    setText(next);
    const read = { latitude: readDegrees(next.latitude, 90), longitude: readDegrees(next.longitude, 180) };
    onChange(isPoint(read) ? circleAround(read) : { area: undefined, location: '' });
  };
  const field = (name: keyof typeof text, label: string, most: number, placeholder: string) => (
    <Field
      label={label}
      error={text[name] !== '' && readDegrees(text[name], most) === undefined ? `Enter -${most} to ${most}` : undefined}
      required
    >
      <Input
        value={text[name]}
        onChange={(event) => change({ ...text, [name]: event.target.value })}
        placeholder={placeholder}
        inputMode="decimal"
        autoComplete="off"
      />
    </Field>
  );
  const point = { latitude, longitude };
  return (
    <>
      {map({
        kind: 'point',
        point: isPoint(point) ? point : undefined,
        onChange: (next) => change({ latitude: textOf(next.latitude), longitude: textOf(next.longitude) }),
      })}
      <div className="grid grid-cols-2 gap-4">
        {field('latitude', 'Latitude', 90, '39.7990')}
        {field('longitude', 'Longitude', 180, '-89.6440')}
      </div>
    </>
  );
}

const textOf = (degrees: number | undefined): string => (degrees === undefined ? '' : String(degrees));

function readDegrees(text: string, most: number): number | undefined {
  const degrees = Number(text);
  return text.trim() !== '' && Math.abs(degrees) <= most ? degrees : undefined;
}

const isPoint = (read: { latitude: number | undefined; longitude: number | undefined }): read is Point =>
  read.latitude !== undefined && read.longitude !== undefined;

const circleAround = (center: Point): NamedArea => ({
  area: { kind: 'circle', center },
  location: `${center.latitude.toFixed(4)}, ${center.longitude.toFixed(4)}`,
});

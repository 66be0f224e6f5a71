import { type ReactNode, useState } from 'react';
import type { Area } from '#contract/work/areas.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { CountyFields } from './county-fields.tsx';
import type { NamedArea } from './named-area.ts';
import { PolygonField } from './polygon-field.tsx';
import { STATE_OPTIONS, stateName } from './states.ts';
import { ZipField } from './zip-field.tsx';

const KINDS = [
  { value: 'circle', label: 'Around a place' },
  { value: 'county', label: 'A county' },
  { value: 'state', label: 'A state' },
  { value: 'zips', label: 'ZIP codes' },
  { value: 'polygon', label: 'A shape (GeoJSON)' },
] as const;

/** The choice of an area. `circle` stands there for the circle around a place. */
export function AreaFields({
  value,
  onChange,
  circle,
}: {
  value: NamedArea;
  onChange: (value: NamedArea) => void;
  circle: ReactNode;
}) {
  const [kind, setKind] = useState<Area['kind']>(value.area?.kind ?? 'circle');
  const { area } = value;
  const choose = (next: Area['kind']) => {
    setKind(next);
    onChange({ area: undefined, location: '' });
  };
  return (
    <>
      <Field label="Area">
        <Select value={kind} onValueChange={choose} options={KINDS} />
      </Field>
      {kind === 'circle' ? circle : null}
      {kind === 'county' ? (
        <CountyFields area={area?.kind === 'county' ? area : undefined} onChange={onChange} />
      ) : null}
      {kind === 'state' ? (
        <Field label="State" required>
          <Select
            value={area?.kind === 'state' ? area.code : ''}
            placeholder="Choose a state"
            onValueChange={(code) => onChange({ area: { kind: 'state', code }, location: stateName(code) })}
            options={STATE_OPTIONS}
          />
        </Field>
      ) : null}
      {kind === 'zips' ? <ZipField area={area?.kind === 'zips' ? area : undefined} onChange={onChange} /> : null}
      {kind === 'polygon' ? (
        <PolygonField area={area?.kind === 'polygon' ? area : undefined} onChange={onChange} />
      ) : null}
    </>
  );
}

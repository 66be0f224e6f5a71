import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Area } from '#contract/work/search/areas.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import type { MapEdit } from '#web/ui/map/map-view.tsx';
import { CountyFields } from './county-fields.tsx';
import type { NamedArea } from './named-area.ts';
import { PointFields } from './point-fields.tsx';
import { PolygonField } from './polygon-field.tsx';
import { SearchMap } from './search-map.tsx';
import { STATE_OPTIONS, stateName } from './states.ts';
import type { AreaCount } from './use-area-count.ts';
import { ZipField } from './zip-field.tsx';

const KINDS = [
  { value: 'place', label: 'Around a place' },
  { value: 'point', label: 'Around a point on the map' },
  { value: 'county', label: 'A county' },
  { value: 'state', label: 'A state' },
  { value: 'zips', label: 'ZIP codes' },
  { value: 'polygon', label: 'A shape, drawn or pasted' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

/** A counted area was drawn: those of other kinds are stored as they were chosen. */
function kindOf(area: Area | undefined): Kind {
  if (area?.kind === 'circle') return 'point';
  return area?.kind === 'counted' ? 'polygon' : (area?.kind ?? 'place');
}

/** The choice of an area, and its map. `location` and `radius` stand there for a circle. */
export function AreaFields({
  value,
  onChange,
  count,
  location,
  radius,
  mapPlace,
}: {
  value: NamedArea;
  onChange: (value: NamedArea) => void;
  count: AreaCount;
  location: ReactNode;
  radius: ReactNode;
  /** Where the map stands instead of among the fields. */
  mapPlace: HTMLElement | null;
}) {
  const [kind, setKind] = useState<Kind>(kindOf(value.area));
  const { area } = value;
  const choose = (next: Kind) => {
    setKind(next);
    onChange({ area: undefined, location: '' });
  };
  const map = (edit?: MapEdit) => {
    const drawn = <SearchMap area={area} name={value.location} count={count} edit={edit} beside={mapPlace !== null} />;
    return mapPlace ? createPortal(drawn, mapPlace) : drawn;
  };
  return (
    <>
      <Field label="Area">
        <Select value={kind} onValueChange={choose} options={KINDS} />
      </Field>
      {kind === 'place' ? location : null}
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
      {kind === 'point' ? (
        <PointFields area={area?.kind === 'circle' ? area : undefined} onChange={onChange} map={map} />
      ) : null}
      {kind === 'polygon' ? (
        <PolygonField
          area={area?.kind === 'polygon' || area?.kind === 'counted' ? area : undefined}
          onChange={onChange}
          map={map}
        />
      ) : null}
      {kind === 'place' || kind === 'point' ? radius : null}
      {kind === 'point' || kind === 'polygon' ? null : map()}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Area } from '#contract/work/search/areas.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { countiesQuery } from './area-api.ts';
import type { NamedArea } from './named-area.ts';
import { STATE_OPTIONS } from './states.ts';

/** A state, and one of its counties. */
export function CountyFields({
  area,
  onChange,
}: {
  area: Extract<Area, { kind: 'county' }> | undefined;
  onChange: (value: NamedArea) => void;
}) {
  const [chosen, setChosen] = useState<string>();
  const all = useQuery(countiesQuery);
  const state = chosen ?? all.data?.counties.find(({ fips }) => fips === area?.fips)?.state;
  const counties = (all.data?.counties ?? []).filter((county) => county.state === state);
  const options = counties.map(({ fips, name }) => ({ value: fips, label: name }));
  const choose = (fips: string) => {
    const name = counties.find((county) => county.fips === fips)?.name ?? fips;
    onChange({ area: { kind: 'county', fips }, location: `${name}, ${state ?? ''}` });
  };
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label="State" required>
        <Select
          value={state ?? ''}
          placeholder="Choose a state"
          onValueChange={(code) => {
            setChosen(code);
            onChange({ area: undefined, location: '' });
          }}
          options={STATE_OPTIONS}
        />
      </Field>
      <Field label="County" error={all.isError ? errorMessage(all.error) : undefined} required>
        <Select
          value={area?.fips ?? ''}
          placeholder={state ? 'Choose a county' : 'Choose a state first'}
          disabled={options.length === 0}
          onValueChange={choose}
          options={options}
        />
      </Field>
    </div>
  );
}

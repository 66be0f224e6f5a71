import { useQuery } from '@tanstack/react-query';
import type { OpenRelease, SearchSource } from '#contract/work/open-data.ts';
import { plural } from '#web/lib/format/format.ts';
import { sourcesQuery } from '#web/lib/query/open-sources.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';

const OPTIONS = [
  { value: 'google', label: 'Google Places' },
  { value: 'open', label: 'Open data (free)' },
  { value: 'open_first', label: 'Open data first, then Google' },
] as const;

/** Where a search looks. Nothing else than Google can be chosen while no open data is loaded. */
export function SourceField({ value, onChange }: { value: SearchSource; onChange: (value: SearchSource) => void }) {
  const { data } = useQuery(sourcesQuery);
  const releases = data?.sources ?? [];
  // The choice of someone who has made it stays.
  const options = releases.length > 0 || value !== 'google' ? OPTIONS : OPTIONS.slice(0, 1);
  return (
    <Field label="Source" hint={hintOf(releases, value)}>
      <Select value={value} onValueChange={onChange} options={options} />
    </Field>
  );
}

type Release = Pick<OpenRelease, 'name' | 'release' | 'sandbox' | 'count' | 'searched'>;

function hintOf(releases: readonly Release[], value: SearchSource): string {
  if (releases.length === 0) return 'No open data is loaded here. An administrator can load it.';
  if (value === 'google') return 'Paid for with your own key';
  const [first, last] = (['first', 'last'] as const).map((when) =>
    releases.filter(({ searched }) => searched === when),
  );
  const others = last?.length ? ` Where they have nothing: ${placesOf(last)}.` : '';
  return `${placesOf(first ?? [])}.${others} They may be out of date: check before you call.`;
}

/** Sources that are named; the others are counted. */
const NAMED = 3;

/** "1,006 places of Overture Places 2026-10-01, city 2026-06". */
function placesOf(releases: readonly Release[]): string {
  const places = releases.reduce((sum, { count }) => sum + count, 0);
  const names = [
    ...new Set(releases.map(({ name, release, sandbox }) => `${name} ${release}${sandbox ? ' (invented)' : ''}`)),
  ];
  const more = names.length - NAMED;
  return `${plural(places, 'place')} of ${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${plural(more, 'other source')}` : ''}`;
}

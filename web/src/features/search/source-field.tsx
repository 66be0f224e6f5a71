import { useQuery } from '@tanstack/react-query';
import type { SearchSource } from '#contract/work/open-data.ts';
import { formatCount } from '#web/lib/format/format.ts';
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

function hintOf(releases: readonly { name: string; release: string; count: number }[], value: SearchSource): string {
  const [first] = releases;
  if (!first) return 'No open data is loaded here. An administrator can load it.';
  if (value === 'google') return 'Paid for with your own key';
  const places = releases.reduce((sum, { count }) => sum + count, 0);
  const names = [...new Set(releases.map(({ name, release }) => `${name} ${release}`))];
  return `${formatCount(places)} places of ${names.slice(0, 3).join(', ')}. They may be out of date: check before you call.`;
}

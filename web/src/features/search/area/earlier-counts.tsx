import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { milesToMeters, RADIUS_CHOICES_MILES } from '#contract/work/search/search.ts';
import type { countedAreasEndpoint } from '#contract/work/search/surveys.ts';
import { formatMoment } from '#web/lib/format/format.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { countedAreasQuery } from './area-api.ts';
import type { NamedArea } from './named-area.ts';
import { DRAWN } from './polygon-field.tsx';

type Count = DataOf<typeof countedAreasEndpoint>['counts'][number];

/** What a count was for, as the form has it. `radius` in miles. */
export type EarlierCount = NamedArea & { businessType: string; radius: string | undefined };

/** The choice of an area that was counted before: a drawn one cannot be drawn the same again. */
export function EarlierCounts({ onChoose }: { onChoose: (count: EarlierCount) => void }) {
  const { data } = useQuery(countedAreasQuery);
  const counts = data?.counts ?? [];
  if (counts.length === 0) return null;
  const choose = (surveyId: string) => {
    const count = counts.find((one) => one.surveyId === surveyId);
    if (count) onChoose(formOf(count));
  };
  return (
    <Field label="Counted before">
      <Select
        value=""
        placeholder="Continue with an area"
        onValueChange={choose}
        options={counts.map((count) => ({ value: count.surveyId, label: textOf(count) }))}
      />
    </Field>
  );
}

const textOf = ({ queries, label, usedAt }: Count): string =>
  `${queries.join(', ')} · ${label} · ${formatMoment(usedAt)}`;

const formOf = ({ queries, label, area, radius }: Count): EarlierCount => ({
  businessType: queries.join(', '),
  area,
  location: area.kind === 'counted' ? DRAWN : label,
  radius: RADIUS_CHOICES_MILES.find((miles) => milesToMeters(Number(miles)) === radius),
});

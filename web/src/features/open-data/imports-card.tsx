import { useQuery } from '@tanstack/react-query';
import type { OpenImport } from '#contract/admin/open-data.ts';
import { formatCount, formatTime, plural } from '#web/lib/format/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { importsQuery } from './api.ts';

/** The last imports: how far one is, how a release differs from the one before, or why it stopped. */
export function ImportsCard() {
  const { data, isError } = useQuery(importsQuery);
  // The card beside says so.
  if (isError && !data) return null;
  return (
    <Card aria-label="Imports">
      <CardHeader>
        <CardTitle>Imports</CardTitle>
      </CardHeader>
      <CardContent>
        {!data ? (
          <Skeleton className="h-12" />
        ) : data.imports.length === 0 ? (
          <p className="text-secondary text-sm">None yet.</p>
        ) : (
          <ul aria-label="Imports" className="divide-y rounded-lg border">
            {data.imports.map((one) => (
              <ImportRow key={one.id} one={one} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}

function ImportRow({ one }: { one: OpenImport }) {
  return (
    <li className="grid gap-0.5 px-3 py-2 tabular-nums">
      <p className="flex flex-wrap items-baseline gap-2">
        <span className="font-medium">
          {one.name} {one.release}
        </span>
        <Badge tone={one.state === 'failed' ? 'danger' : one.state === 'completed' ? 'success' : 'info'}>
          {stateOf(one)}
        </Badge>
      </p>
      <p role={one.atWork ? 'status' : undefined} className="text-secondary text-sm [overflow-wrap:anywhere]">
        {resultOf(one)}
      </p>
      <p className="text-faint text-sm [overflow-wrap:anywhere]">
        {formatTime(one.startedAt)} · {one.files.join(', ')}
      </p>
    </li>
  );
}

function stateOf({ state, atWork }: OpenImport): string {
  if (state === 'running') return atWork ? 'Loading' : 'Interrupted';
  return state === 'completed' ? 'Loaded' : 'Failed';
}

function resultOf({
  state,
  atWork,
  message,
  added,
  changed,
  gone,
  same,
  unusable,
  rowsRead,
  placesRead,
}: OpenImport): string {
  if (state === 'failed') return message ?? 'It stopped.';
  if (state === 'running')
    return `${plural(rowsRead, 'row')} read, ${plural(placesRead, 'place')}.${atWork ? '' : ' Load the same files again to continue.'}`;
  const counts = [
    `${formatCount(added ?? 0)} new`,
    `${formatCount(changed ?? 0)} changed`,
    `${formatCount(gone ?? 0)} gone`,
    `${formatCount(same ?? 0)} the same`,
    ...(unusable > 0 ? [`${plural(unusable, 'row')} without a place`] : []),
  ];
  return counts.join(' · ');
}

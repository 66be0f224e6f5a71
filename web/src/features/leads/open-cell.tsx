import { useQuery } from '@tanstack/react-query';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { useListOfTable } from './call-cell.tsx';
import { leadOriginQuery } from './open-api.ts';
import { certainty } from './open-words.ts';

/** Which release of open data a lead comes from, and how sure its source is; what that means, under the pointer. */
export function OpenCell({ leadId }: { leadId: string }) {
  const { data, isError } = useQuery(leadOriginQuery(useListOfTable(), leadId));
  if (data === undefined) return isError ? <span className="text-faint">Not read</span> : <Skeleton className="w-28" />;
  if (data === null)
    return (
      <span className="text-faint">
        <span aria-hidden>–</span>
        <span className="sr-only">none</span>
      </span>
    );
  const { title, release, license, confidence, goneOn } = data;
  return (
    <span className="flex items-center gap-2" title={`${title}, release ${release} (${license}). ${certainty(data)}`}>
      <span className="max-w-52 truncate">{`${title} ${release}`}</span>
      {goneOn ? <Badge tone="warning">Gone</Badge> : null}
      <Badge className="tabular-nums">
        {confidence === null ? 'No confidence' : `${Math.round(confidence * 100)}%`}
      </Badge>
    </span>
  );
}

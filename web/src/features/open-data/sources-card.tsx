import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { OpenRelease } from '#contract/work/open-data.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatTime, plural } from '#web/lib/format/format.ts';
import { sourcesQuery } from '#web/lib/query/open-sources.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useRemoveSource } from './api.ts';

/** What is loaded, by source: release, license and how many places. Each can be removed. */
export function SourcesCard() {
  const sources = useQuery(sourcesQuery);
  const bySource = Object.entries(Object.groupBy(sources.data?.sources ?? [], ({ source }) => source));
  return (
    <Card aria-label="Loaded">
      <CardHeader>
        <CardTitle>Loaded</CardTitle>
        <CardDescription>
          Searches of open data look through these places. None is proof that a business is open.
        </CardDescription>
      </CardHeader>
      <CardContent>
        {sources.isError && !sources.data ? (
          <ReadFailed title="The sources could not be loaded" query={sources}>
            {errorMessage(sources.error)}
          </ReadFailed>
        ) : !sources.data ? (
          <Skeleton className="h-12" />
        ) : bySource.length === 0 ? (
          <p className="text-secondary text-sm">Nothing yet. Choose files below.</p>
        ) : (
          <ul aria-label="Sources" className="divide-y rounded-lg border">
            {bySource.map(([source, releases = []]) => (
              <SourceRow key={source} source={source} releases={releases} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}

function SourceRow({ source, releases }: { source: string; releases: readonly OpenRelease[] }) {
  const [asks, setAsks] = useState(false);
  const removing = useRemoveSource();
  const name = releases[0]?.name ?? source;
  const places = releases.reduce((sum, { count }) => sum + count, 0);
  const remove = () =>
    removing.mutate(source, {
      onSuccess: ({ removed }) => {
        setAsks(false);
        toast.success('Source removed', `${plural(removed, 'place')} of ${name} removed.`);
      },
      onError: (error) => toast.error('Not removed', errorMessage(error)),
    });
  return (
    <li className="flex items-start gap-2 py-2 pr-2 pl-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <ul className="text-secondary text-sm tabular-nums">
          {releases.map(({ id, release, license, count, sandbox, searched, loadedAt }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              {[
                release,
                license,
                plural(count, 'place'),
                ...(sandbox ? ['sandbox'] : []),
                ...(searched === 'last' ? ['searched where the others have nothing'] : []),
                `loaded ${formatTime(loadedAt)}`,
              ].join(' · ')}
            </li>
          ))}
        </ul>
      </div>
      <Button variant="ghost" size="icon-sm" aria-label={`Remove ${name}`} onClick={() => setAsks(true)}>
        <Trash2 aria-hidden />
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Remove ${name}?`}
        description={`This removes ${plural(places, 'place')} from searches. Leads that came from it stay in their lists, with its name and license.`}
        confirmText="Remove"
        destructive
        pending={removing.isPending}
        onConfirm={remove}
      />
    </li>
  );
}

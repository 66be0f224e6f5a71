import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { sourcesQuery } from './api.ts';
import { EraseContact } from './erase-contact.tsx';
import { KeapSource } from './keap-source.tsx';
import { PublicPage } from './public-page.tsx';
import { StopRequests } from './stop-requests.tsx';

/** For administrators: where entries come from by themselves, who waits for a decision, and the right to erasure. */
export function SourcesCard() {
  const sources = useQuery(sourcesQuery);
  return (
    <Card aria-label="Sources and erasure">
      <CardHeader>
        <CardTitle>Sources and erasure</CardTitle>
        <CardDescription>Only administrators see this.</CardDescription>
      </CardHeader>
      <CardContent>
        {sources.data ? (
          <div className="grid gap-5 [&>*+*]:border-t [&>*+*]:pt-5">
            <KeapSource settings={sources.data.settings} pull={sources.data.pull} />
            <PublicPage settings={sources.data.settings} />
            {sources.data.requests.total > 0 ? <StopRequests {...sources.data.requests} /> : null}
            <EraseContact
              erasedText={sources.data.erased > 0 ? `${plural(sources.data.erased, 'contact')} erased so far.` : ''}
            />
          </div>
        ) : sources.error ? (
          <ReadFailed title="The sources could not be loaded" query={sources}>
            {errorMessage(sources.error)}
          </ReadFailed>
        ) : (
          <div role="status" className="grid gap-4">
            <span className="sr-only">Loading the sources</span>
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </div>
        )}
      </CardContent>
    </Card>
  );
}

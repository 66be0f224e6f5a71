import { useQuery } from '@tanstack/react-query';
import { FileClock } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { fileQuery, importsQuery } from '#web/features/imports/api.ts';
import { ChooseFile } from '#web/features/imports/choose-file.tsx';
import { History } from '#web/features/imports/history.tsx';
import { Review } from '#web/features/imports/review.tsx';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** One's own files as lists. */
export function ImportsPage() {
  const { status } = useSession();
  const [params, setParams] = useSearchParams();
  const id = params.get('file');
  const open = (file: string | undefined) => setParams(file ? { file } : {});
  return (
    <div className="grid min-w-0 grid-cols-1 gap-6">
      <PageHeader
        title="Import Your Files"
        description="Lists that you own are checked, enriched, called and exported under the same rules as other lists."
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in to import a file.</SignedOutAlert>
      ) : (
        <>
          {id ? (
            <Waiting id={id} onDone={() => open(undefined)} />
          ) : (
            <ChooseFile onRead={(file) => open(file.importId)} />
          )}
          <Earlier onReview={open} />
        </>
      )}
    </div>
  );
}

function Waiting({ id, onDone }: { id: string; onDone: () => void }) {
  const file = useQuery(fileQuery(id));
  if (file.data) return <Review key={id} file={file.data} onDone={onDone} />;
  if (file.error)
    return (
      <ReadFailed title="The file could not be read" query={file}>
        {errorMessage(file.error)}
      </ReadFailed>
    );
  if (file.data === null)
    return (
      <Alert tone="info" title="This file was started or discarded">
        <Button size="sm" onClick={onDone}>
          Choose another file
        </Button>
      </Alert>
    );
  return <Loading what="Reading the file" />;
}

function Earlier({ onReview }: { onReview: (id: string) => void }) {
  const imports = useQuery(importsQuery);
  return (
    <section aria-label="Earlier imports" className="grid min-w-0 gap-3">
      <h2 className="font-semibold text-lg">Earlier imports</h2>
      {imports.data ? (
        imports.data.length === 0 ? (
          <EmptyState
            icon={FileClock}
            title="No imports yet"
            description="What you import is listed here, and can be undone."
          />
        ) : (
          <History imports={imports.data} onReview={onReview} />
        )
      ) : imports.error ? (
        <ReadFailed title="Your imports could not be loaded" query={imports}>
          {errorMessage(imports.error)}
        </ReadFailed>
      ) : (
        <Loading what="Loading your imports" />
      )}
    </section>
  );
}

function Loading({ what }: { what: string }) {
  return (
    <div role="status" className="grid gap-3 rounded-lg border p-4">
      <span className="sr-only">{what}</span>
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
    </div>
  );
}

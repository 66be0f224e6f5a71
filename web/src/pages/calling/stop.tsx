import { useQuery } from '@tanstack/react-query';
import { stopPageQuery } from '#web/features/stop/api.ts';
import { StopForm } from '#web/features/stop/stop-form.tsx';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** For strangers: anyone suppresses their own number or address, where an administrator has switched the page on. */
export function StopPage() {
  const page = useQuery(stopPageQuery);
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 px-4 py-10">
      <title>Stop contact · Fairlead</title>
      <div className="grid gap-5 rounded-lg border bg-surface p-6">
        <header>
          <h1 className="font-semibold text-xl tracking-tight">Stop calls and emails from us</h1>
          {page.data?.open === false ? null : (
            <p className="mt-1 text-secondary">
              Enter your own number or address. We use it only to stop contacting you.
            </p>
          )}
        </header>
        <Content />
      </div>
      <LegalLinks className="justify-center" />
    </main>
  );
}

function Content() {
  const page = useQuery(stopPageQuery);
  if (page.data?.open) return <StopForm texts={page.data.texts} />;
  if (page.data)
    return <p className="text-secondary">This page is switched off. Instead, tell the people who contacted you.</p>;
  if (page.error)
    return (
      <ReadFailed title="This page could not be loaded" query={page}>
        {errorMessage(page.error)}
      </ReadFailed>
    );
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}

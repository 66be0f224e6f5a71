import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, ScrollText, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AuditLine } from '#contract/admin/audit.ts';
import { AUDIT_DAYS, REFUSAL_DAYS } from '#contract/work/retention.ts';
import { auditQuery, useDownloadAudit } from '#web/features/audit/api.ts';
import { AuditDetails } from '#web/features/audit/audit-details.tsx';
import { AuditFilters } from '#web/features/audit/audit-filters.tsx';
import { AuditSkeleton } from '#web/features/audit/audit-skeleton.tsx';
import { AuditTable } from '#web/features/audit/audit-table.tsx';
import { type AuditView, changeAuditView, isFiltered, readAuditView } from '#web/features/audit/audit-view.ts';
import { errorMessage, isForbidden } from '#web/lib/backend/api-error.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { AdminRefusal } from '#web/shell/gate/admin-refusal.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** What administrators did, and who came in or was refused. */
export function AuditLogPage() {
  const { status } = useSession();
  const [params, setParams] = useSearchParams();
  const view = readAuditView(params);
  const log = useQuery(auditQuery(view));
  const refused = isForbidden(log.error);
  const change = (next: Partial<AuditView>) =>
    setParams(changeAuditView(view, next), 'before' in next ? {} : { replace: true, state: STAY });
  return (
    <div className="grid min-w-0 gap-6">
      <PageHeader
        title="Audit Log"
        description={`Who did what, kept for ${AUDIT_DAYS} days. Refusals are kept for ${REFUSAL_DAYS} days.`}
        actions={
          status === 'signed_out' || refused ? null : (
            <>
              <Button asChild>
                <Link to="/evidence">Evidence</Link>
              </Button>
              <DownloadButton view={view} />
            </>
          )
        }
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in as an administrator to read the audit log.</SignedOutAlert>
      ) : refused ? (
        <AdminRefusal />
      ) : (
        <section aria-label="Lines" className="grid min-w-0 gap-3">
          <AuditFilters view={view} onChange={change} />
          <Lines log={log} view={view} onChange={change} />
        </section>
      )}
    </div>
  );
}

function DownloadButton({ view }: { view: AuditView }) {
  const downloading = useDownloadAudit();
  const download = () =>
    downloading.mutate(view, {
      onSuccess: () => toast.success('Downloaded', isFiltered(view) ? 'The lines that match.' : 'All lines.'),
      onError: (error) => toast.error('Download failed', errorMessage(error)),
    });
  return (
    <Button pending={downloading.isPending} onClick={download}>
      {downloading.isPending ? null : <Download aria-hidden />}
      Download CSV
    </Button>
  );
}

type LinesProps = {
  log: ReturnType<typeof useQuery<{ items: AuditLine[]; next: string | null }>>;
  view: AuditView;
  onChange: (change: Partial<AuditView>) => void;
};

/** The lines in each of their states: being read, unreadable, none, none that match, and a page of them. */
function Lines({ log, view, onChange }: LinesProps) {
  const [asked, setAsked] = useState<AuditLine>();
  if (log.error && (!log.data || log.isPlaceholderData))
    return (
      <ReadFailed title="The audit log could not be loaded" query={log}>
        {errorMessage(log.error)}
      </ReadFailed>
    );
  if (!log.data) return <AuditSkeleton />;
  const { items, next } = log.data;
  if (items.length === 0) return <NoLines view={view} onChange={onChange} />;
  return (
    <>
      <div aria-busy={log.isPlaceholderData} className={log.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
        <AuditTable lines={items} onDetails={setAsked} />
      </div>
      {next !== null || view.before ? (
        <nav aria-label="Pages" className="flex items-center justify-end gap-1 print:hidden">
          <Button variant="ghost" size="sm" disabled={!view.before} onClick={() => onChange({ before: undefined })}>
            <ChevronLeft aria-hidden />
            Newest
          </Button>
          <Button
            variant="ghost"
            size="sm"
            disabled={next === null || log.isPlaceholderData}
            onClick={() => onChange({ before: next ?? undefined })}
          >
            Older
            <ChevronRight aria-hidden />
          </Button>
        </nav>
      ) : null}
      <AuditDetails line={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

function NoLines({ view, onChange }: Pick<LinesProps, 'view' | 'onChange'>) {
  if (!isFiltered(view) && !view.before)
    return (
      <EmptyState
        icon={ScrollText}
        title="Nothing yet"
        description="Sign-ins, refusals and what administrators do appear here."
      />
    );
  return (
    <EmptyState
      icon={SearchX}
      title="No lines match"
      description={
        view.from && view.to && view.from > view.to
          ? 'The first day is after the last day.'
          : '“Done by” and “Done to” match from the first letter.'
      }
      action={view.before ? <Button onClick={() => onChange({ before: undefined })}>See the newest</Button> : null}
    />
  );
}

import { ArrowLeft, Phone } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { KEYS, OUTCOMES } from '#web/features/calls/call-words.ts';
import { LeadCard } from '#web/features/calls/lead-card.tsx';
import { UnsentAlert } from '#web/features/calls/outbox/unsent-alert.tsx';
import { SheetActions } from '#web/features/calls/sheet-actions.tsx';
import { SheetNews } from '#web/features/calls/sheet-news.tsx';
import { CountsText, NoLead } from '#web/features/calls/sheet-states.tsx';
import { type Sheet, useCallSheet } from '#web/features/calls/use-call-sheet.ts';
import { type SheetKeys, useSheetKeys } from '#web/features/calls/use-sheet-keys.ts';
import { safeWebsite } from '#web/features/leads/lead-badges.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { useNow } from '#web/lib/browser/use-now.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { useLastUser } from '#web/lib/session/use-last-user.ts';
import { useLists } from '#web/pages/list-work/use-lists.ts';
import { usePageCommands } from '#web/shell/commands/page-commands.tsx';
import { pageKey } from '#web/shell/commands/shortcuts.ts';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** The leads of a list, one at a time, to be called. */
export function CallSheetPage() {
  const { listId = '' } = useParams();
  const { status, user } = useSession();
  const lastUser = useLastUser();
  const lists = useLists();
  const list = lists.data?.find(({ id }) => id === listId);
  return (
    <div className="grid grid-cols-1 gap-5">
      <PageHeader
        title="Call Sheet"
        back={
          <Button variant="link" size="sm" asChild>
            <Link to={`/lists/${listId}`} className="max-w-full text-secondary">
              <ArrowLeft aria-hidden />
              <span dir="auto" className="truncate">
                {list?.name ?? 'List'}
              </span>
            </Link>
          </Button>
        }
        description={
          list?.sandbox
            ? 'One lead at a time, as with leads that may be called.'
            : 'One lead at a time, only while it may be called. What you log counts for everyone here.'
        }
      />
      {status === 'signed_out' ? (
        <>
          <SignedOutAlert>Sign in to continue calling.</SignedOutAlert>
          {lastUser ? <UnsentAlert userId={lastUser} /> : null}
        </>
      ) : null}
      {user ? (
        <OpenSheet key={`${user.id} ${listId}`} listId={listId} userId={user.id} changedAt={list?.updatedAt} />
      ) : null}
    </div>
  );
}

const SECOND_MS = 1_000;

function OpenSheet({ listId, userId, changedAt }: { listId: string; userId: string; changedAt: string | undefined }) {
  const sheet = useCallSheet(listId, userId, changedAt);
  const keys = useSheetKeys(sheet, userId);
  const now = sheet.serverTime(useNow(SECOND_MS));
  useSheetCommands(sheet, keys);
  const { query, lead, isMoving } = sheet;
  const shown = sheet.sheet;
  const back = (
    <Button variant="primary" asChild>
      <Link to={`/lists/${listId}`}>Back to the List</Link>
    </Button>
  );
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <EmptyState
        title="List not found"
        description="It may have been deleted, or it may belong to someone else."
        action={
          <Button variant="primary" asChild>
            <Link to="/">Back to Dashboard</Link>
          </Button>
        }
      />
    );
  return (
    <>
      {shown ? <CountsText counts={shown.counts} /> : null}
      {shown?.practice ? (
        <Alert tone="info" title="Practice with sandbox data">
          These numbers are invented and must not be called. Nothing that you log here counts toward a limit or
          suppresses anyone.
        </Alert>
      ) : null}
      <SheetNews sheet={sheet} />
      {query.isError ? (
        <ReadFailed
          title={
            lead && !isMoving
              ? 'Fairlead could not check whether you may still call'
              : 'The next lead could not be loaded'
          }
          query={query}
        >
          {errorMessage(query.error)}
        </ReadFailed>
      ) : null}
      {shown === undefined || isMoving ? (
        query.isError ? null : (
          <Loading />
        )
      ) : lead ? (
        <div className="grid min-w-0 grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <LeadCard
            key={lead.id}
            lead={lead}
            practice={shown.practice}
            now={now}
            takesFocus={sheet.hasMoved}
            websiteOf={safeWebsite}
            mayDial={!keys.earlier && sheet.mayDial(lead)}
            onDial={() => void sheet.dial()}
          />
          <SheetActions sheet={sheet} lead={lead} keys={keys} />
        </div>
      ) : shown.state === 'lead' ? null : (
        <NoLead sheet={shown} now={now} back={back} />
      )}
    </>
  );
}

function Loading() {
  return (
    <div role="status" className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <span className="sr-only">Finding the next lead</span>
      <Skeleton className="h-80" />
      <Skeleton className="h-80" />
    </div>
  );
}

/** Offers what the sheet can do to the keyboard, its help, and the command palette. */
function useSheetCommands(sheet: Sheet, { earlier, choose, writeNote }: SheetKeys): void {
  const { lead, last, isMoving } = sheet;
  const command = (label: string, key: string, run: () => void) => ({
    id: `call/${label}`,
    label,
    icon: Phone,
    shortcut: pageKey(label, key),
    run,
  });
  const ofOpen = [command('No call was made', KEYS.notMade, () => void sheet.notMade())];
  const ofNext = [
    ...(lead?.mayCall ? [command('Begin call', KEYS.call, () => void sheet.begin(false))] : []),
    command('Next', KEYS.next, () => void sheet.next()),
  ];
  const ofLead =
    lead && !isMoving
      ? [
          ...(earlier ? [] : lead.open ? ofOpen : ofNext),
          command('Write a note', KEYS.note, writeNote),
          ...OUTCOMES.map(({ outcome, label, key }) => command(label, key, () => choose(outcome))),
        ]
      : [];
  usePageCommands({
    title: 'Call sheet',
    commands: [...ofLead, ...(last ? [command('Undo', KEYS.undo, () => void sheet.undo())] : [])],
  });
}

import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { KEYS, outcomeLabel } from './call-words.ts';
import { unsentTitle } from './outbox/unsent-words.ts';
import { KeyHint } from './outcome-buttons.tsx';
import type { Sheet } from './use-call-sheet.ts';

/** What went wrong, what waits for a connection, and the outcome that can be taken back. */
export function SheetNews({ sheet }: { sheet: Sheet }) {
  const { notice, last, waiting, isBusy } = sheet;
  return (
    <div className="grid gap-3 empty:hidden">
      {notice ? (
        <Alert tone={notice.tone} title={notice.title}>
          {notice.text}
        </Alert>
      ) : null}
      {waiting > 0 ? (
        <Alert tone="warning" title={unsentTitle(waiting)}>
          Kept in this browser, and sent as soon as the server can be reached.
        </Alert>
      ) : null}
      {last ? (
        <div
          role="status"
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border bg-surface px-4 py-2"
        >
          <p className="min-w-0 break-words">
            <span className="font-medium">{outcomeLabel(last.outcome)}</span> · <bdi>{last.lead.businessName}</bdi>
          </p>
          <Button
            size="sm"
            variant="ghost"
            aria-keyshortcuts={KEYS.undo}
            pending={isBusy}
            onClick={() => void sheet.undo()}
          >
            Undo
            <KeyHint>{KEYS.undo}</KeyHint>
          </Button>
        </div>
      ) : null}
    </div>
  );
}

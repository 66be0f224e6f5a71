import { CALL_OPEN_MS } from '#contract/calling/calls.ts';
import { formatMoment } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { CallBackForm } from './call-back-form.tsx';
import { KEYS } from './call-words.ts';
import { EarlierCalls } from './earlier-calls.tsx';
import type { ShownLead } from './held-lead.ts';
import { timeIn } from './local-time.ts';
import { NoteField } from './note-field.tsx';
import { KeyHint, OutcomeButtons } from './outcome-buttons.tsx';
import { SuppressDialog } from './suppress-dialog.tsx';
import type { Sheet } from './use-call-sheet.ts';
import type { SheetKeys } from './use-sheet-keys.ts';

/** Everything that can be done with the lead that is shown. */
export function SheetActions({ sheet, lead, keys }: { sheet: Sheet; lead: ShownLead; keys: SheetKeys }) {
  const { asking, setAsking, setEarlier, note, setNote, noteBox, choose, save } = keys;
  const { isBusy } = sheet;
  const practice = sheet.sheet?.practice ?? false;
  const now = sheet.serverTime(Date.now());
  return (
    <div className="grid min-w-0 content-start gap-4">
      <Card className="grid gap-4 p-5" aria-label="Call">
        <CallOfNow sheet={sheet} lead={lead} keys={keys} practice={practice} />
        <NoteField note={note} onChange={setNote} field={noteBox} />
        {asking === 'call_back' ? (
          <CallBackForm
            leadId={lead.id}
            now={now}
            isBusy={isBusy}
            onSave={(callBackAt) => save('call_back', callBackAt)}
            onCancel={() => setAsking(undefined)}
          />
        ) : (
          <OutcomeButtons isBusy={isBusy} onChoose={choose} />
        )}
      </Card>
      <Card className="p-5" aria-label="History">
        <EarlierCalls
          calls={lead.calls.filter(({ id }) => id !== lead.open?.id)}
          onSay={keys.earlier ? undefined : setEarlier}
        />
      </Card>
      {asking === 'do_not_call' || asking === 'wrong_number' ? (
        <SuppressDialog
          outcome={asking}
          number={lead.number}
          practice={practice}
          isBusy={isBusy}
          onConfirm={() => save(asking)}
          onClose={() => setAsking(undefined)}
        />
      ) : null}
    </div>
  );
}

/** The call that an outcome is said of: the one under way, an earlier one, or one that may begin. */
function CallOfNow({
  sheet,
  lead,
  keys: { earlier, setEarlier },
  practice,
}: {
  sheet: Sheet;
  lead: ShownLead;
  keys: SheetKeys;
  practice: boolean;
}) {
  const { isBusy } = sheet;
  if (earlier)
    return (
      <Alert
        tone="info"
        title={`Your call of ${formatMoment(earlier.calledAt)}`}
        action={
          <Button size="sm" onClick={() => setEarlier(undefined)}>
            Cancel
          </Button>
        }
      >
        It has no outcome yet. What you choose below is logged for this call.
      </Alert>
    );
  if (lead.open) {
    const now = sheet.serverTime(Date.now());
    const mayWithdraw = now - Date.parse(lead.open.calledAt) <= CALL_OPEN_MS;
    return (
      <Alert
        tone="info"
        title={practice ? 'Practice call under way' : 'Call under way'}
        action={
          <div className="flex flex-wrap gap-2">
            {lead.hasLeft ? null : (
              <Button size="sm" pending={isBusy} disabled={!lead.mayCall} onClick={() => void sheet.begin(false, true)}>
                Call Again
              </Button>
            )}
            {mayWithdraw ? (
              <Button size="sm" aria-keyshortcuts={KEYS.notMade} pending={isBusy} onClick={() => void sheet.notMade()}>
                No Call Was Made
                <KeyHint>{KEYS.notMade}</KeyHint>
              </Button>
            ) : null}
          </div>
        }
      >
        Begun at {timeIn(undefined, lead.open.calledAt, now)}. It counts until you say otherwise.
        {practice || lead.hasLeft
          ? null
          : ' You can dial the number once, within five minutes. To dial again or later, begin another call.'}
      </Alert>
    );
  }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          size="lg"
          variant="primary"
          className="grow"
          aria-keyshortcuts={KEYS.call}
          pending={isBusy}
          disabled={!lead.mayCall}
          onClick={() => void sheet.begin(false)}
        >
          {practice ? 'Begin Practice Call' : 'Begin Call'}
          <KeyHint>{KEYS.call}</KeyHint>
        </Button>
        <Button size="lg" aria-keyshortcuts={KEYS.next} onClick={() => void sheet.next()}>
          Next
          <KeyHint>{KEYS.next}</KeyHint>
        </Button>
      </div>
      {lead.mayCall ? null : (
        <p className="text-secondary">
          No call may begin now. If you called anyway, you can still log it, and it will be marked.
        </p>
      )}
    </>
  );
}

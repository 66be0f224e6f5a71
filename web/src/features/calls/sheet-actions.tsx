import type { CallOutcome, SheetLead } from '#contract/calling/calls.ts';
import { formatClock } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { CallBackForm } from './call-back-form.tsx';
import { KEYS } from './call-words.ts';
import { EarlierCalls } from './earlier-calls.tsx';
import { NoteField } from './note-field.tsx';
import { KeyHint, OutcomeButtons } from './outcome-buttons.tsx';
import { SuppressDialog } from './suppress-dialog.tsx';
import type { Sheet } from './use-call-sheet.ts';
import type { SheetKeys } from './use-sheet-keys.ts';

/** Everything that can be done with the lead that is shown. */
export function SheetActions({ sheet, lead, keys }: { sheet: Sheet; lead: SheetLead; keys: SheetKeys }) {
  const { asking, setAsking, note, setNote, noteBox, choose } = keys;
  const { isBusy } = sheet;
  const practice = sheet.sheet?.practice ?? false;
  const now = sheet.serverTime(Date.now());
  const save = (outcome: CallOutcome, callBackAt?: string) => {
    setAsking(undefined);
    void sheet.say(outcome, note, callBackAt);
  };
  return (
    <div className="grid min-w-0 content-start gap-4">
      <Card className="grid gap-4 p-5" aria-label="Call">
        {lead.open ? (
          <Alert
            tone="info"
            title={practice ? 'Practice call under way' : 'Call under way'}
            action={
              <Button size="sm" aria-keyshortcuts={KEYS.notMade} pending={isBusy} onClick={() => void sheet.notMade()}>
                No Call Was Made
                <KeyHint>{KEYS.notMade}</KeyHint>
              </Button>
            }
          >
            Begun at {formatClock(lead.open.calledAt)}. It counts until you say otherwise.
          </Alert>
        ) : (
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
        )}
        {lead.open || lead.mayCall ? null : (
          <p className="text-secondary">
            No call may begin now. One that was made all the same can still be logged, and will be marked so.
          </p>
        )}
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
        <EarlierCalls calls={lead.calls.filter(({ id }) => id !== lead.open?.id)} />
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

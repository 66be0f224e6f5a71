import type { CallOutcome } from '#contract/calling/calls.ts';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { OUTCOMES } from './call-words.ts';

/** How the call ended, each with its key. */
export function OutcomeButtons({ isBusy, onChoose }: { isBusy: boolean; onChoose: (outcome: CallOutcome) => void }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">How did it end?</legend>
      <div className="grid grid-cols-2 gap-2">
        {OUTCOMES.map(({ outcome, label, key }) => (
          <Button
            key={outcome}
            size="lg"
            aria-keyshortcuts={key}
            aria-disabled={isBusy || undefined}
            onClick={() => onChoose(outcome)}
            className={outcome === 'do_not_call' ? 'justify-between text-danger' : 'justify-between'}
          >
            {label}
            <KeyHint>{key}</KeyHint>
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

/** A key, as it stands on the keyboard. Devices without one do not show it. */
export function KeyHint({ children }: { children: string }) {
  return (
    <Kbd aria-hidden className="uppercase pointer-coarse:hidden">
      {children}
    </Kbd>
  );
}

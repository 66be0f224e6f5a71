import type { Remedy } from '#web/features/runs/remedy.ts';
import { Button } from '#web/ui/button.tsx';

/** What mends a failure. `of` names the list for assistive technology. */
export function RemedyButton({ remedy, of, onPress }: { remedy: Remedy; of: string; onPress: () => void }) {
  return (
    <Button size="sm" onClick={onPress}>
      {remedy.label}
      <span className="sr-only"> for {of}</span>
    </Button>
  );
}

import { Label } from '#web/ui/form/label.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import type { CommandGroup } from './commands.ts';
import { ShortcutKeys } from './shortcut-keys.tsx';
import { SHORTCUTS, type Shortcut } from './shortcuts.ts';

const SWITCH_ID = 'single-key-shortcuts';

/** All keyboard shortcuts, those of the open page first, and the switch for those that are a single key. */
export function ShortcutsDialog({
  page,
  singleKeys,
  onSingleKeysChange,
  onClose,
}: {
  page: CommandGroup | undefined;
  singleKeys: boolean;
  onSingleKeysChange: (wanted: boolean) => void;
  onClose: () => void;
}) {
  const ofPage = (page?.commands ?? []).flatMap(({ shortcut }) => (shortcut ? [shortcut] : []));
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title="Keyboard shortcuts" size="sm">
        {/* A short window hides the end of the list: the keyboard must reach it. */}
        <DialogBody tabIndex={0} role="region" aria-label="Shortcuts" className="-outline-offset-2">
          {ofPage.length > 0 ? (
            <>
              <h3 className="font-medium text-secondary text-sm">{page?.title}</h3>
              <Shortcuts shortcuts={ofPage} singleKeys={singleKeys} />
              <h3 className="mt-3 font-medium text-secondary text-sm">Everywhere</h3>
            </>
          ) : null}
          <Shortcuts shortcuts={SHORTCUTS} singleKeys={singleKeys} />
        </DialogBody>
        <DialogFooter className="items-center justify-between">
          <Label htmlFor={SWITCH_ID} className="font-normal text-secondary">
            Single-key shortcuts
          </Label>
          <Switch id={SWITCH_ID} checked={singleKeys} onCheckedChange={onSingleKeysChange} />
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function Shortcuts({ shortcuts, singleKeys }: { shortcuts: readonly Shortcut[]; singleKeys: boolean }) {
  return (
    <dl className="grid gap-0.5">
      {shortcuts.map((shortcut) => (
        <div key={shortcut.does} className="flex min-h-8 items-center justify-between gap-4">
          <dt className={shortcut.mod || singleKeys ? undefined : 'text-faint line-through'}>{shortcut.does}</dt>
          <dd>
            <ShortcutKeys shortcut={shortcut} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

import { MOD_KEY } from '#web/lib/browser/platform.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import type { Shortcut } from './shortcuts.ts';

/** The keys of a shortcut, as they stand on the keyboard. */
export function ShortcutKeys({ shortcut: { keys, mod } }: { shortcut: Shortcut }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-faint text-xs">
      {mod ? <Kbd>{MOD_KEY}</Kbd> : null}
      {keys.map((key, index) => (
        <span key={key} className="inline-flex items-center gap-1">
          {index > 0 ? 'then' : null}
          <Kbd className="uppercase">{key}</Kbd>
        </span>
      ))}
    </span>
  );
}

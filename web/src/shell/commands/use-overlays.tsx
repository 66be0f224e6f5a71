import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';
import { useSidebar } from '#web/ui/layout/sidebar-state.tsx';
import type { CommandGroup } from './commands.ts';
import { usePageCommandsRef } from './page-commands.tsx';
import type { ShortcutAction } from './shortcuts.ts';
import { useShortcuts, useSingleKeys } from './use-shortcuts.ts';

type Overlay = { kind: 'palette' | 'shortcuts'; page: CommandGroup | undefined };

// Fetched after the page, so that they neither delay the page nor open late.
const loadPalette = () => loadAgain(() => import('./command-palette.tsx'), 'CommandPalette');
const loadShortcuts = () => loadAgain(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog');
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));
const ShortcutsDialog = lazy(async () => ({ default: (await loadShortcuts()).ShortcutsDialog }));

/** The command palette and the help on shortcuts, with the keys that open them. */
export function useOverlays(): { openPalette: () => void; overlays: ReactNode } {
  const navigate = useNavigate();
  const { toggle } = useSidebar();
  const pageCommands = usePageCommandsRef();
  const [overlay, setOverlay] = useState<Overlay>();
  const [singleKeys, setSingleKeys] = useSingleKeys();

  const openPalette = () => setOverlay({ kind: 'palette', page: pageCommands.current });
  const openShortcuts = () => setOverlay({ kind: 'shortcuts', page: pageCommands.current });
  const close = () => setOverlay(undefined);

  const perform = (action: ShortcutAction) => {
    if (action === 'palette') openPalette();
    else if (action === 'help') openShortcuts();
    else if (action === 'sidebar') toggle();
    else if (action !== 'page') void navigate(action.to);
  };
  useShortcuts(singleKeys, perform, () => pageCommands.current?.commands ?? []);
  useEffect(() => {
    // Not fatal: opening asks for them again.
    void whenQuiet()
      .then(() => Promise.all([loadPalette(), loadShortcuts()]))
      .catch(() => undefined);
  }, []);

  const overlays = (
    <Suspense fallback={null}>
      {overlay?.kind === 'palette' ? (
        <CommandPalette page={overlay.page} onShowShortcuts={openShortcuts} onClose={close} />
      ) : null}
      {overlay?.kind === 'shortcuts' ? (
        <ShortcutsDialog
          page={overlay.page}
          singleKeys={singleKeys}
          onSingleKeysChange={setSingleKeys}
          onClose={close}
        />
      ) : null}
    </Suspense>
  );
  return { openPalette, overlays };
}

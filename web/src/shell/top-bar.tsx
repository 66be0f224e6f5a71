import { Search, Settings } from 'lucide-react';
import { Link } from 'react-router';
import { ThemeToggle } from '#web/features/theme/theme-toggle.tsx';
import { Button } from '#web/ui/button.tsx';
import { SidebarTrigger } from '#web/ui/layout/sidebar.tsx';
import { Tooltip, TooltipRow } from '#web/ui/overlay/tooltip.tsx';
import { AvatarMenu } from './avatar-menu.tsx';
import { ShortcutKeys } from './commands/shortcut-keys.tsx';
import { shortcutTo } from './commands/shortcuts.ts';
import { Logo } from './logo.tsx';

/** `onSearch` opens the command palette. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex print:hidden h-12 items-center gap-1 border-b bg-surface px-2">
      <TooltipRow>
        <SidebarTrigger />
      </TooltipRow>
      <Link to="/" aria-label="Fairlead, to the dashboard" className="mr-auto flex items-center rounded-lg px-1.5 py-1">
        <Logo />
      </Link>
      <PaletteButton onOpen={onSearch} />
      <TooltipRow>
        <ThemeToggle />
        <Tooltip content="Settings" side="bottom">
          <Button asChild variant="ghost" size="icon">
            <Link to="/settings" aria-label="Settings">
              <Settings aria-hidden />
            </Link>
          </Button>
        </Tooltip>
      </TooltipRow>
      <AvatarMenu />
    </header>
  );
}

/** Looks like a field where there is room for one, and is an icon on a phone. */
function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const shortcut = shortcutTo('palette');
  return (
    <Button
      variant="ghost"
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="max-md:size-8 max-md:px-0 md:mr-2 md:w-64 md:justify-start md:border md:border-control md:bg-background md:pr-1.5 md:pl-2.5 md:font-normal"
    >
      <Search aria-hidden />
      <span className="max-md:sr-only">Search or jump to…</span>
      <span aria-hidden className="ml-auto hidden md:inline-flex">
        {shortcut ? <ShortcutKeys shortcut={shortcut} /> : null}
      </span>
    </Button>
  );
}

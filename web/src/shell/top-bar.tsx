import { Settings } from 'lucide-react';
import { Link } from 'react-router';
import { ThemeToggle } from '#web/features/theme/theme-toggle.tsx';
import { Button } from '#web/ui/button.tsx';
import { SidebarTrigger } from '#web/ui/sidebar.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { AvatarMenu } from './avatar-menu.tsx';
import { Logo } from './logo.tsx';

export function TopBar() {
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-1 border-b bg-surface px-2">
      <SidebarTrigger />
      <Link to="/" aria-label="Fairlead, to the dashboard" className="mr-auto flex items-center rounded-lg px-1.5 py-1">
        <Logo />
      </Link>
      <ThemeToggle />
      <Tooltip content="Settings" side="bottom">
        <Button asChild variant="ghost" size="icon">
          <Link to="/settings" aria-label="Settings">
            <Settings aria-hidden />
          </Link>
        </Button>
      </Tooltip>
      <AvatarMenu />
    </header>
  );
}

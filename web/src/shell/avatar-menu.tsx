import { LogIn, LogOut, Settings, UserRound } from 'lucide-react';
import { Link } from 'react-router';
import { useLogout } from '#web/features/access/sessions/use-logout.ts';
import { ThemeMenuChoice } from '#web/features/theme/theme-toggle.tsx';
import { useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';
import { useSignIn } from './gate/use-sign-in.ts';

/** The first letter of the signed-in person's address, and what belongs to them. */
export function AvatarMenu() {
  const { user } = useSession();
  const logout = useLogout();
  const signIn = useSignIn();
  const initial = user?.email.charAt(0).toUpperCase();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger>
        <Button variant="ghost" size="icon" aria-label="Account menu" className="rounded-full">
          <span className="grid size-7 place-items-center rounded-full border bg-muted font-semibold text-foreground text-sm">
            {initial || <UserRound aria-hidden />}
          </span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-60">
        {user ? <DropdownMenuLabel className="truncate">{user.email}</DropdownMenuLabel> : null}
        <DropdownMenuItem asChild>
          <Link to="/account">
            <UserRound aria-hidden />
            Account
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/settings">
            <Settings aria-hidden />
            Settings
          </Link>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Theme</DropdownMenuLabel>
        <ThemeMenuChoice />
        <DropdownMenuSeparator />
        {user ? (
          <DropdownMenuItem onSelect={logout}>
            <LogOut aria-hidden />
            Logout
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem onSelect={signIn}>
            <LogIn aria-hidden />
            Sign in
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

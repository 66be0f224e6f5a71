import { Keyboard, LogIn, LogOut, type LucideIcon, Monitor, Moon, PanelLeft, ShieldCheck, Sun } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useLogout } from '#web/features/access/sessions/use-logout.ts';
import { type Theme, useTheme } from '#web/features/theme/theme-provider.tsx';
import { useConfig } from '#web/lib/backend/config.tsx';
import { useSession } from '#web/lib/session/session.tsx';
import { useSignIn } from '#web/shell/gate/use-sign-in.ts';
import { type NavItem, navGroupsFor } from '#web/shell/nav.ts';
import { useSidebar } from '#web/ui/layout/sidebar-state.tsx';
import type { Command, CommandGroup } from './commands.ts';
import { shortcutTo } from './shortcuts.ts';

const THEMES: readonly { theme: Theme; label: string; icon: LucideIcon }[] = [
  { theme: 'light', label: 'Light theme', icon: Sun },
  { theme: 'dark', label: 'Dark theme', icon: Moon },
  { theme: 'system', label: 'System theme', icon: Monitor },
];

/** A page that the sidebar leaves out. */
const EVIDENCE: NavItem = { label: 'Evidence', icon: ShieldCheck, to: '/evidence' };

/** What can be done from everywhere: the pages of the sidebar, and the settings of the shell. */
export function useCommands(onShowShortcuts: () => void): CommandGroup[] {
  const navigate = useNavigate();
  const { supportUrl } = useConfig();
  const { user } = useSession();
  const { theme: current, setTheme } = useTheme();
  const { toggle } = useSidebar();
  const logout = useLogout();
  const signIn = useSignIn();

  const page = (group: string, item: NavItem): Command => {
    const { label, icon } = item;
    const id = `${group}/${label}`;
    if (!('to' in item)) {
      return { id, label, icon, run: () => void window.open(supportUrl, '_blank', 'noreferrer') };
    }
    const { to } = item;
    return { id, label, icon, shortcut: shortcutTo({ to }), run: () => void navigate(to) };
  };
  const groups = navGroupsFor(user?.role);
  const pagesOf = (admin: boolean): Command[] =>
    groups
      .filter((group) => (group.admin === true) === admin)
      .flatMap(({ title, items }) => items.map((item) => page(title, item)));
  const themes = THEMES.filter(({ theme }) => theme !== current).map(
    ({ theme, label, icon }): Command => ({
      id: theme,
      label,
      icon,
      keywords: 'mode appearance',
      run: () => setTheme(theme),
    }),
  );
  return [
    { title: 'Go to', commands: [...pagesOf(false), page('More', EVIDENCE)] },
    { title: 'Admin', commands: pagesOf(true) },
    {
      title: 'Preferences',
      commands: [
        ...themes,
        { id: 'sidebar', label: 'Toggle sidebar', icon: PanelLeft, shortcut: shortcutTo('sidebar'), run: toggle },
        {
          id: 'shortcuts',
          label: 'Keyboard shortcuts',
          icon: Keyboard,
          keywords: 'help keys',
          shortcut: shortcutTo('help'),
          run: onShowShortcuts,
        },
        user
          ? { id: 'logout', label: 'Logout', icon: LogOut, keywords: 'sign out', run: logout }
          : { id: 'sign-in', label: 'Sign in', icon: LogIn, run: signIn },
      ],
    },
  ];
}

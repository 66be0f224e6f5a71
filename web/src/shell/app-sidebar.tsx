import { LogIn, LogOut, PanelLeftClose, PanelLeftOpen, X } from 'lucide-react';
import { NavLink } from 'react-router';
import { useLogout } from '#web/features/access/sessions/use-logout.ts';
import { useConfig } from '#web/lib/backend/config.tsx';
import { useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Sidebar, SidebarGroup, SidebarItem, SidebarLabel, sidebarItemClasses } from '#web/ui/layout/sidebar.tsx';
import { useSidebar } from '#web/ui/layout/sidebar-state.tsx';
import { Tooltip, TooltipRow } from '#web/ui/overlay/tooltip.tsx';
import { useSignIn } from './gate/use-sign-in.ts';
import { LegalLinks } from './legal-links.tsx';
import { ACCOUNT_GROUP, type NavItem, navGroupsFor } from './nav.ts';

function NavEntry({ item }: { item: NavItem }) {
  const { supportUrl } = useConfig();
  const { setDrawerOpen } = useSidebar();
  const inside = (
    <>
      <item.icon aria-hidden />
      <SidebarLabel>{item.label}</SidebarLabel>
    </>
  );
  return (
    <SidebarItem label={item.label}>
      {'to' in item ? (
        <NavLink to={item.to} end onClick={() => setDrawerOpen(false)} className={sidebarItemClasses}>
          {inside}
        </NavLink>
      ) : (
        <a href={supportUrl} target="_blank" rel="noreferrer" className={sidebarItemClasses}>
          {inside}
        </a>
      )}
    </SidebarItem>
  );
}

/** Logout, or the way back in once the session has ended. */
function SessionEntry() {
  const { status } = useSession();
  const logout = useLogout();
  const signIn = useSignIn();
  const signedOut = status === 'signed_out';
  const label = signedOut ? 'Sign in' : 'Logout';
  const Icon = signedOut ? LogIn : LogOut;
  return (
    <SidebarItem label={label}>
      <button type="button" onClick={signedOut ? signIn : logout} className={sidebarItemClasses}>
        <Icon aria-hidden />
        <SidebarLabel>{label}</SidebarLabel>
      </button>
    </SidebarItem>
  );
}

function SizeButton({ label, icon: Icon, onClick }: { label: string; icon: typeof X; onClick: () => void }) {
  return (
    <Tooltip content={label} side="right">
      <Button variant="ghost" size="icon" aria-label={label} onClick={onClick} className="text-faint">
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  );
}

/** Between full width, icons only, and out of the way. */
function SizeButtons() {
  const { state, isMobile, setState } = useSidebar();
  if (isMobile) return null;
  if (state === 'icons') {
    return (
      <div className="border-t p-2">
        <SizeButton label="Expand sidebar" icon={PanelLeftOpen} onClick={() => setState('expanded')} />
      </div>
    );
  }
  return (
    <div className="flex justify-between border-t p-2">
      <SizeButton label="Collapse sidebar to icons" icon={PanelLeftClose} onClick={() => setState('icons')} />
      <SizeButton label="Hide sidebar" icon={X} onClick={() => setState('hidden')} />
    </div>
  );
}

export function AppSidebar() {
  const { user } = useSession();
  const { state, isMobile, setDrawerOpen } = useSidebar();
  return (
    <Sidebar label="Navigation">
      <TooltipRow>
        <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden py-1">
          {navGroupsFor(user?.role).map((group) => (
            <SidebarGroup key={group.title} title={group.title}>
              {group.items.map((item) => (
                <NavEntry key={item.label} item={item} />
              ))}
              {group.title === ACCOUNT_GROUP ? <SessionEntry /> : null}
            </SidebarGroup>
          ))}
        </nav>
        {isMobile || state === 'expanded' ? (
          <LegalLinks label="Legal, in the sidebar" className="px-4 py-2" onNavigate={() => setDrawerOpen(false)} />
        ) : null}
        <SizeButtons />
      </TooltipRow>
    </Sidebar>
  );
}

import { PanelLeft } from 'lucide-react';
import { type ComponentProps, lazy, type ReactElement, type ReactNode, Suspense, useId, useState } from 'react';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { MOD_KEY } from '#web/lib/browser/platform.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Tooltip } from '#web/ui/overlay/tooltip.tsx';
import { useSidebar } from './sidebar-state.tsx';

const SidebarDrawer = lazy(async () => ({
  default: (await loadAgain(() => import('./sidebar-drawer.tsx'), 'SidebarDrawer')).SidebarDrawer,
}));

/** The column at the left, or a drawer on a phone. `label` names it. */
export function Sidebar({ label, children }: { label: string; children: ReactNode }) {
  const { state, isMobile, drawerOpen, setDrawerOpen } = useSidebar();
  const [wanted, setWanted] = useState(false);
  if (drawerOpen && !wanted) setWanted(true);
  if (isMobile) {
    return (
      <Suspense fallback={null}>
        {wanted ? (
          <SidebarDrawer label={label} open={drawerOpen} onOpenChange={setDrawerOpen}>
            {children}
          </SidebarDrawer>
        ) : null}
      </Suspense>
    );
  }
  if (state === 'hidden') return null;
  return (
    <aside
      aria-label={label}
      data-state={state}
      className={cn(
        'sticky top-12 flex print:hidden h-[calc(100dvh-3rem)] shrink-0 flex-col border-r bg-surface',
        state === 'icons' ? 'w-[3rem]' : 'w-[16rem]',
      )}
    >
      {children}
    </aside>
  );
}

/** A titled group of items; the title makes room when only icons are shown. */
export function SidebarGroup({ title, children }: { title: string; children: ReactNode }) {
  const { state, isMobile } = useSidebar();
  const iconsOnly = !isMobile && state === 'icons';
  const titleId = useId();
  return (
    <div className="px-2 py-2">
      <p id={titleId} className={cn('px-2 pb-1 font-medium text-faint text-xs', iconsOnly && 'sr-only')}>
        {title}
      </p>
      <ul aria-labelledby={titleId} className="grid gap-0.5">
        {children}
      </ul>
    </div>
  );
}

/** The looks of an item: a link or a button with an icon before its label. */
export const sidebarItemClasses =
  'flex h-8 w-full items-center gap-2.5 overflow-hidden whitespace-nowrap rounded-lg px-2 font-medium text-secondary transition-colors ' +
  'hover:bg-hover hover:text-foreground aria-[current=page]:bg-hover aria-[current=page]:text-foreground ' +
  '[&_svg]:size-4 [&_svg]:shrink-0 aria-[current=page]:[&_svg]:text-accent';

/** Around one link or button. When only icons are shown, `label` is its tooltip. */
export function SidebarItem({ label, children }: { label: string; children: ReactElement }) {
  const { state, isMobile } = useSidebar();
  return (
    <li>
      <Tooltip content={label} side="right" disabled={isMobile || state !== 'icons'}>
        {children}
      </Tooltip>
    </li>
  );
}

/** An item's words: present, but not to be seen, when only icons are shown. */
export function SidebarLabel({ children }: { children: ReactNode }) {
  const { state, isMobile } = useSidebar();
  return <span className={cn('truncate', !isMobile && state === 'icons' && 'sr-only')}>{children}</span>;
}

export function SidebarTrigger(props: ComponentProps<typeof Button>) {
  const { toggle, isMobile, drawerOpen, state } = useSidebar();
  const open = isMobile ? drawerOpen : state === 'expanded';
  return (
    <Tooltip content={`Toggle sidebar (${MOD_KEY}+B)`} side="bottom">
      <Button
        variant="ghost"
        size="icon"
        aria-label="Toggle sidebar"
        aria-expanded={open}
        aria-keyshortcuts="Control+B Meta+B"
        {...props}
        onClick={toggle}
      >
        <PanelLeft aria-hidden />
      </Button>
    </Tooltip>
  );
}

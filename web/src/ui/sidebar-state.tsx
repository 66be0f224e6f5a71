import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { readCookie, writeCookie } from '#web/lib/cookie.ts';
import { useMediaQuery } from './use-media-query.ts';

/** `expanded` 16rem, `icons` 3rem, `hidden` off-canvas. */
export type SidebarState = 'expanded' | 'icons' | 'hidden';

/** Constants of spec section 9. */
const COOKIE = 'sidebar_state';
const COOKIE_DAYS = 7;
const MOBILE_QUERY = '(max-width: 767.98px)';

const COOKIE_VALUES: Record<SidebarState, string> = { expanded: 'true', icons: 'false', hidden: 'hidden' };

function rememberedState(): SidebarState {
  const value = readCookie(COOKIE);
  if (value === COOKIE_VALUES.icons) return 'icons';
  return value === COOKIE_VALUES.hidden ? 'hidden' : 'expanded';
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

type Sidebar = {
  state: SidebarState;
  setState: (state: SidebarState) => void;
  /** Narrower than 768 px: the sidebar is a drawer, and `drawerOpen` counts instead of `state`. */
  isMobile: boolean;
  drawerOpen: boolean;
  setDrawerOpen: (open: boolean) => void;
  /** Drawer in and out on a phone; else expanded and icons in turn. */
  toggle: () => void;
};

const SidebarContext = createContext<Sidebar | undefined>(undefined);

/** Holds the sidebar's state, remembers it in a cookie, and listens for Ctrl+B or Meta+B. */
export function SidebarProvider({ children }: { children: ReactNode }) {
  const [state, keepState] = useState(rememberedState);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const isMobile = useMediaQuery(MOBILE_QUERY);

  const setState = (next: SidebarState) => {
    writeCookie(COOKIE, COOKIE_VALUES[next], COOKIE_DAYS);
    keepState(next);
  };
  const toggle = () => {
    if (isMobile) setDrawerOpen(!drawerOpen);
    else setState(state === 'expanded' ? 'icons' : 'expanded');
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'b' && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  return (
    <SidebarContext value={{ state, setState, isMobile, drawerOpen: isMobile && drawerOpen, setDrawerOpen, toggle }}>
      {children}
    </SidebarContext>
  );
}

/** Throws outside a SidebarProvider. */
export function useSidebar(): Sidebar {
  const sidebar = useContext(SidebarContext);
  if (!sidebar) throw new Error('useSidebar must be used within a SidebarProvider.');
  return sidebar;
}

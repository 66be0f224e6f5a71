import { createContext, type ReactNode, useContext, useState } from 'react';
import { useMediaQuery } from './use-media-query.ts';

/** `expanded` 16rem, `icons` 3rem, `hidden` off-canvas. */
export type SidebarState = 'expanded' | 'icons' | 'hidden';

/** Constants of spec section 9. */
const COOKIE = 'sidebar_state';
const COOKIE_SECONDS = 7 * 86_400;
const MOBILE_QUERY = '(max-width: 767.98px)';

const COOKIE_VALUES: Record<SidebarState, string> = { expanded: 'true', icons: 'false', hidden: 'hidden' };

function rememberedState(): SidebarState {
  const prefix = `${COOKIE}=`;
  const pair = document.cookie.split('; ').find((candidate) => candidate.startsWith(prefix));
  const value = pair?.slice(prefix.length);
  if (value === COOKIE_VALUES.icons) return 'icons';
  return value === COOKIE_VALUES.hidden ? 'hidden' : 'expanded';
}

function rememberState(state: SidebarState): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and cannot be read before the first paint
  document.cookie = `${COOKIE}=${COOKIE_VALUES[state]}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`;
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

/** Holds the sidebar's state, and remembers it in a cookie. */
export function SidebarProvider({ children }: { children: ReactNode }) {
  const [state, keepState] = useState(rememberedState);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const isMobile = useMediaQuery(MOBILE_QUERY);

  const setState = (next: SidebarState) => {
    rememberState(next);
    keepState(next);
  };
  const toggle = () => {
    if (isMobile) setDrawerOpen(!drawerOpen);
    else setState(state === 'expanded' ? 'icons' : 'expanded');
  };

  return (
    <SidebarContext value={{ state, setState, isMobile, drawerOpen: isMobile && drawerOpen, setDrawerOpen, toggle }}>
      {children}
    </SidebarContext>
  );
}

/** @throws outside a SidebarProvider. */
export function useSidebar(): Sidebar {
  const sidebar = useContext(SidebarContext);
  if (!sidebar) throw new Error('useSidebar must be used within a SidebarProvider.');
  return sidebar;
}

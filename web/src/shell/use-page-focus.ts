import { type RefObject, useEffect, useRef } from 'react';

const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu][data-state=open], [role=listbox][data-state=open]';

/**
 * Moves the focus to the page's heading when another page is shown, so that a screen reader says where one is and Tab goes
 * on from there. What has taken the focus by itself keeps it: a field of the new page, a dialog, or a menu that was opened while the
 * page came, which would close.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>, pathname: string): void {
  const known = useRef(pathname);
  useEffect(() => {
    // After a closing overlay has given the focus back.
    const timer = setTimeout(() => {
      if (known.current === pathname) return;
      known.current = pathname;
      const page = main.current;
      const { activeElement } = document;
      if (activeElement?.closest(OVERLAY)) return;
      if (activeElement !== page && page?.contains(activeElement)) return;
      (page?.querySelector<HTMLElement>('h1[tabindex]') ?? page)?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [main, pathname]);
}

import { Slot } from 'radix-ui';
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent as KeyPress,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { reloadIfNewer } from '#web/lib/browser/reload-if-newer.ts';
import { loadPopups, type Popups, usePopups } from '#web/ui/popups/use-popups.ts';

type Press = 'pointer' | 'keyboard';

/** What the parts of a menu share. */
type Menu = {
  /** Set once the menu was pressed and can open. Before that, a page of closed menus would be slow to mount. */
  parts: Popups | undefined;
  pressed: Press | undefined;
  press: (how: Press) => void;
};
const MenuContext = createContext<Menu>({ parts: undefined, pressed: undefined, press: () => {} });

const arrowDown = () => new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true });

/** A menu: its trigger is there at once, the rest is mounted when it is first pressed. */
export function DropdownMenu({ children }: { children: ReactNode }) {
  const [pressed, setPressed] = useState<Press>();
  const parts = usePopups({ wanted: pressed !== undefined });
  const press = (how: Press) => {
    setPressed(how);
    void loadPopups().catch(reloadIfNewer);
  };
  const menu = parts ? (
    <parts.DropdownMenu defaultOpen={pressed === 'pointer'}>{children}</parts.DropdownMenu>
  ) : (
    children
  );
  return <MenuContext value={{ parts, pressed, press }}>{menu}</MenuContext>;
}

/** Around the menu's button. */
export function DropdownMenuTrigger({ children }: { children: ReactElement }) {
  const { parts, pressed, press } = useContext(MenuContext);
  const trigger = useRef<HTMLButtonElement>(null);
  const isMounted = parts !== undefined;
  useEffect(() => {
    if (!isMounted || pressed !== 'keyboard') return;
    // Only a key puts the focus on the first item, and the one that was pressed met no menu yet.
    const timer = setTimeout(() => trigger.current?.dispatchEvent(arrowDown()));
    return () => clearTimeout(timer);
  }, [isMounted, pressed]);
  if (parts)
    return (
      <parts.DropdownMenuTrigger asChild ref={trigger}>
        {children}
      </parts.DropdownMenuTrigger>
    );
  const openByArrow = (event: KeyPress) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    press('keyboard');
  };
  return (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      // A click by Enter or the space bar has no place.
      onClick={({ detail }: MouseEvent) => press(detail === 0 ? 'keyboard' : 'pointer')}
      onKeyDown={openByArrow}
    >
      {children}
    </Slot.Root>
  );
}

export function DropdownMenuContent(props: ComponentProps<Popups['DropdownMenuContent']>) {
  const { parts } = useContext(MenuContext);
  return parts ? <parts.DropdownMenuContent {...props} /> : null;
}

export function DropdownMenuItem(props: ComponentProps<Popups['DropdownMenuItem']>) {
  const { parts } = useContext(MenuContext);
  return parts ? <parts.DropdownMenuItem {...props} /> : null;
}

export function DropdownMenuRadioGroup(props: ComponentProps<Popups['DropdownMenuRadioGroup']>) {
  const { parts } = useContext(MenuContext);
  return parts ? <parts.DropdownMenuRadioGroup {...props} /> : null;
}

export function DropdownMenuRadioItem(props: ComponentProps<Popups['DropdownMenuRadioItem']>) {
  const { parts } = useContext(MenuContext);
  return parts ? <parts.DropdownMenuRadioItem {...props} /> : null;
}

export function DropdownMenuLabel(props: ComponentProps<Popups['DropdownMenuLabel']>) {
  const { parts } = useContext(MenuContext);
  return parts ? <parts.DropdownMenuLabel {...props} /> : null;
}

export function DropdownMenuSeparator(props: ComponentProps<Popups['DropdownMenuSeparator']>) {
  const { parts } = useContext(MenuContext);
  return parts ? <parts.DropdownMenuSeparator {...props} /> : null;
}

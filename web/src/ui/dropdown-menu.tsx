import { Slot } from 'radix-ui';
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useState,
} from 'react';
import { reloadIfNewer } from '#web/lib/reload-if-newer.ts';
import { loadPopups, type Popups, usePopups } from './popups/use-popups.ts';

/** Opens a menu that was pressed before it was here. */
const PressContext = createContext<() => void>(() => {});

/** A menu: its trigger is there at once, the rest comes after the page, and opens then if it was pressed. */
export function DropdownMenu({ children }: { children: ReactNode }) {
  const popups = usePopups();
  const [pressed, setPressed] = useState(false);
  if (popups) return <popups.DropdownMenu defaultOpen={pressed}>{children}</popups.DropdownMenu>;
  const press = () => {
    setPressed(true);
    void loadPopups().catch(reloadIfNewer);
  };
  return <PressContext value={press}>{children}</PressContext>;
}

/** Around the menu's button. */
export function DropdownMenuTrigger({ children }: { children: ReactElement }) {
  const popups = usePopups();
  const press = useContext(PressContext);
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    press();
  };
  if (popups) return <popups.DropdownMenuTrigger asChild>{children}</popups.DropdownMenuTrigger>;
  return (
    <Slot.Root aria-haspopup="menu" aria-expanded={false} data-state="closed" onClick={press} onKeyDown={openByArrow}>
      {children}
    </Slot.Root>
  );
}

export function DropdownMenuContent(props: ComponentProps<Popups['DropdownMenuContent']>) {
  const popups = usePopups();
  return popups ? <popups.DropdownMenuContent {...props} /> : null;
}

export function DropdownMenuItem(props: ComponentProps<Popups['DropdownMenuItem']>) {
  const popups = usePopups();
  return popups ? <popups.DropdownMenuItem {...props} /> : null;
}

export function DropdownMenuRadioGroup(props: ComponentProps<Popups['DropdownMenuRadioGroup']>) {
  const popups = usePopups();
  return popups ? <popups.DropdownMenuRadioGroup {...props} /> : null;
}

export function DropdownMenuRadioItem(props: ComponentProps<Popups['DropdownMenuRadioItem']>) {
  const popups = usePopups();
  return popups ? <popups.DropdownMenuRadioItem {...props} /> : null;
}

export function DropdownMenuLabel(props: ComponentProps<Popups['DropdownMenuLabel']>) {
  const popups = usePopups();
  return popups ? <popups.DropdownMenuLabel {...props} /> : null;
}

export function DropdownMenuSeparator(props: ComponentProps<Popups['DropdownMenuSeparator']>) {
  const popups = usePopups();
  return popups ? <popups.DropdownMenuSeparator {...props} /> : null;
}

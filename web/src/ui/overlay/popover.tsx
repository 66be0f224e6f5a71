import { Slot } from 'radix-ui';
import { type ComponentProps, createContext, type ReactElement, type ReactNode, useContext, useState } from 'react';
import { reloadIfNewer } from '#web/lib/browser/reload-if-newer.ts';
import { loadPopups, type Popups, usePopups } from '#web/ui/popups/use-popups.ts';

/** `parts`: set once it was pressed and can open. */
type Shared = { parts: Popups | undefined; press: () => void };
const PopoverContext = createContext<Shared>({ parts: undefined, press: () => {} });

/** Something that opens beside its button: the button is there at once, the rest is mounted when it is first pressed. */
export function Popover({ children }: { children: ReactNode }) {
  const [pressed, setPressed] = useState(false);
  const parts = usePopups({ wanted: pressed });
  const press = () => {
    setPressed(true);
    void loadPopups().catch(reloadIfNewer);
  };
  return (
    <PopoverContext value={{ parts, press }}>
      {parts ? <parts.Popover defaultOpen>{children}</parts.Popover> : children}
    </PopoverContext>
  );
}

/** Around its button. */
export function PopoverTrigger({ children }: { children: ReactElement }) {
  const { parts, press } = useContext(PopoverContext);
  if (parts) return <parts.PopoverTrigger asChild>{children}</parts.PopoverTrigger>;
  return (
    <Slot.Root aria-haspopup="dialog" aria-expanded={false} data-state="closed" onClick={press}>
      {children}
    </Slot.Root>
  );
}

/** `label` names it for assistive technology. */
export function PopoverContent(props: ComponentProps<Popups['PopoverContent']>) {
  const { parts } = useContext(PopoverContext);
  return parts ? <parts.PopoverContent {...props} /> : null;
}

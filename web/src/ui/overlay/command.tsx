import { Command as Cmdk } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { overlayClasses } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

/**
 * A field over a list to choose from by typing, at the top of the page. What fits `search` is for the caller to say.
 * `onClosed` is called after closing, when the focus is back where it was.
 */
export function CommandDialog({
  open,
  title,
  placeholder,
  search,
  note,
  onSearchChange,
  onClose,
  onClosed,
  children,
  ...props
}: Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  open: boolean;
  title: string;
  placeholder: string;
  search: string;
  /** Said below the list, or instead of it. */
  note: string | undefined;
  onSearchChange: (search: string) => void;
  onClose: () => void;
  onClosed: () => void;
  children: ReactNode;
}) {
  const { onCloseAutoFocus, ...focusReturn } = useFocusReturn();
  return (
    // Radix's own modality styles the whole page again, which takes longer than all the rest; what it brings is below.
    <Radix.Root modal={false} open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <div className={overlayClasses} />
        <Radix.Content
          aria-modal
          aria-describedby={undefined}
          {...focusReturn}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus(event);
            onClosed();
          }}
          className="fixed inset-x-2 top-2 z-50 mx-auto max-w-xl animate-fade-in overflow-hidden rounded-lg border bg-raised shadow-raised outline-none md:top-[12vh]"
          {...props}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <Cmdk label={title} shouldFilter={false} vimBindings={false} loop>
            <div className="flex items-center gap-2.5 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-faint" />
              <Cmdk.Input
                value={search}
                onValueChange={onSearchChange}
                placeholder={placeholder}
                // All there is to walk to is in the list, by arrow keys.
                onKeyDown={(event) => {
                  if (event.key === 'Tab') event.preventDefault();
                }}
                className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none md:text-base"
              />
            </div>
            <Cmdk.List
              label={title}
              className="max-h-[min(24rem,calc(100dvh-8rem))] scroll-py-2 overflow-y-auto overscroll-contain p-2"
            >
              {children}
            </Cmdk.List>
            <p role="status" className="break-words px-4 pb-4 text-secondary empty:hidden">
              {note}
            </p>
          </Cmdk>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function CommandGroup(props: ComponentProps<typeof Cmdk.Group>) {
  return (
    <Cmdk.Group
      className="not-first:mt-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
      {...props}
    />
  );
}

/** `value` names the item; no two have the same. */
export function CommandItem(props: ComponentProps<typeof Cmdk.Item> & { value: string }) {
  return (
    <Cmdk.Item
      className="flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2 py-1 aria-selected:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint"
      {...props}
    />
  );
}

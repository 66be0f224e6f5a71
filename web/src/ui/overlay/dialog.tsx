import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { useFocusReturn } from './use-focus-return.ts';

export const Dialog = Radix.Root;
export const DialogTrigger = Radix.Trigger;
export const DialogClose = Radix.Close;

/** Fill behind dialogs and drawers. */
export const overlayClasses = 'fixed inset-0 z-40 animate-fade-in bg-overlay';

/** Where dialogs stand: a sheet at the bottom of a phone, the middle of a larger screen. */
export const panelClasses =
  'fixed z-50 flex max-h-[calc(100dvh-2rem)] flex-col border bg-raised shadow-raised outline-none ' +
  'inset-x-0 bottom-0 animate-sheet-up rounded-t-lg border-b-0 ' +
  // Held at its top: what comes late makes it longer, and must not move a field from under a click.
  'md:inset-x-auto md:bottom-auto md:left-1/2 md:top-[8dvh] md:max-h-[88dvh] md:w-full md:-translate-x-1/2 ' +
  'md:animate-fade-in md:rounded-lg md:border-b';

const widths = { sm: 'md:max-w-md', md: 'md:max-w-lg', lg: 'md:max-w-2xl', xl: 'md:max-w-4xl' };

/** A part that has a use for Escape, such as a drawing that is begun, keeps it from closing what it stands in. */
function keepEscape(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.closest('[data-keeps-escape]')) event.preventDefault();
}

/**
 * A titled panel over the page. Put the middle into DialogBody and the buttons into DialogFooter; a form goes around
 * both with `className="contents"`, so that the body scrolls and the buttons stay.
 */
export function DialogContent({
  title,
  description,
  size = 'md',
  className,
  children,
  ...props
}: Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths;
}) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Portal>
      <Radix.Overlay className={overlayClasses} />
      <Radix.Content
        className={cn(panelClasses, widths[size], className)}
        {...(description ? {} : { 'aria-describedby': undefined })}
        {...focusReturn}
        onEscapeKeyDown={keepEscape}
        {...props}
      >
        <header className="border-b py-4 pr-14 pl-5">
          <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
          {description ? <Radix.Description className="mt-0.5 text-secondary">{description}</Radix.Description> : null}
        </header>
        {children}
        {/* Last, so that the focus goes to the first field when the dialog opens. */}
        <Radix.Close asChild>
          <Button variant="ghost" size="icon-sm" aria-label="Close" className="absolute top-3.5 right-3.5">
            <X aria-hidden />
          </Button>
        </Radix.Close>
      </Radix.Content>
    </Radix.Portal>
  );
}

/** The part of a dialog that scrolls. */
export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn('grid min-h-0 flex-1 auto-rows-max content-start gap-4 overflow-y-auto px-5 py-4', className)}
      {...props}
    />
  );
}

export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn(
        'flex flex-wrap justify-end gap-2 border-t px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]',
        className,
      )}
      {...props}
    />
  );
}

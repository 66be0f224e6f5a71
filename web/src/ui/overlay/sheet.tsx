import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { overlayClasses } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

/** A titled panel at the right edge, over the page; on a phone it takes the whole screen. Its content scrolls. */
export function Sheet({
  open,
  onClose,
  title,
  description,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClasses} />
        <Radix.Content
          className="fixed inset-y-0 right-0 z-50 flex w-full animate-sheet-left flex-col bg-raised shadow-raised outline-none md:w-[44rem] md:max-w-[calc(100vw-4rem)] md:border-l"
          {...(description ? {} : { 'aria-describedby': undefined })}
          {...focusReturn}
        >
          <header className="border-b py-4 pr-14 pl-5">
            <Radix.Title className="break-words font-semibold text-lg">{title}</Radix.Title>
            {description ? (
              <Radix.Description className="mt-0.5 break-words text-secondary">{description}</Radix.Description>
            ) : null}
          </header>
          <section
            aria-label="Content"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
            tabIndex={0}
            className="-outline-offset-2 grid min-h-0 flex-1 auto-rows-max grid-cols-1 content-start gap-5 overflow-y-auto px-5 py-4 pb-[max(1rem,env(safe-area-inset-bottom))]"
          >
            {children}
          </section>
          {/* Last, so that the focus goes to the content when the sheet opens. */}
          <Radix.Close asChild>
            <Button variant="ghost" size="icon-sm" aria-label="Close" className="absolute top-3.5 right-3.5">
              <X aria-hidden />
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

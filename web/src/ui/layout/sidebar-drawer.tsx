import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { overlayClasses } from '#web/ui/overlay/dialog.tsx';
import { useFocusReturn } from '#web/ui/overlay/use-focus-return.ts';

/** The sidebar of a phone. `label` names it. */
export function SidebarDrawer({
  label,
  open,
  onOpenChange,
  children,
}: {
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClasses} />
        <Radix.Content
          aria-describedby={undefined}
          {...focusReturn}
          className="fixed inset-y-0 left-0 z-50 flex w-[18rem] max-w-[calc(100vw-3rem)] animate-sheet-right flex-col border-r bg-surface outline-none"
        >
          <div className="flex h-12 shrink-0 items-center justify-between border-b pr-2 pl-4">
            <Radix.Title className="font-semibold">{label}</Radix.Title>
            <Radix.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

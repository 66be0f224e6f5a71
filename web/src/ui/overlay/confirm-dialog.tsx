import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { overlayClasses, panelClasses } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

/** Asks before something that cannot be taken back. It stays open while `pending`; the caller closes it. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmText,
  cancelText = 'Cancel',
  destructive = false,
  pending = false,
  disabled = false,
  refused,
  onConfirm,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  confirmText: string;
  cancelText?: string;
  destructive?: boolean;
  pending?: boolean;
  /** Whether it cannot be confirmed as it stands. */
  disabled?: boolean;
  /** Why not; stands beside the buttons. */
  refused?: string | undefined;
  onConfirm: () => void;
  /** Fields below the description. */
  children?: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={(next) => (pending ? undefined : onOpenChange(next))}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClasses} />
        <Radix.Content className={cn(panelClasses, 'md:max-w-md')} {...focusReturn}>
          <div className="grid gap-2 overflow-y-auto px-5 py-5">
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            <Radix.Description className="text-secondary">{description}</Radix.Description>
            {children ? <div className="mt-2 grid gap-2">{children}</div> : null}
          </div>
          <div className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
            {refused ? (
              <p role="status" className="mr-auto min-w-0 basis-full text-secondary text-sm">
                {refused}
              </p>
            ) : null}
            <Radix.Cancel asChild>
              <Button disabled={pending}>{cancelText}</Button>
            </Radix.Cancel>
            <Button
              variant={destructive ? 'danger' : 'primary'}
              pending={pending}
              disabled={disabled}
              onClick={onConfirm}
            >
              {confirmText}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

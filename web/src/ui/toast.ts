import type { ReactNode } from 'react';
import { toast as sonner } from 'sonner';

/** How long a toast with a button stays, in ms: long enough to reach it. */
const ACTION_MS = 10_000;

export type ToastAction = { label: string; onClick: () => void };

/** `id`: toasts of the same id take each other's place. `second`: another button, beside the action. */
type Extras = { id?: string | undefined; second?: ToastAction | undefined };

/** Two buttons stand below the text, which they would leave no room beside them. */
const TWO_BUTTONS = { toast: 'flex-wrap justify-end', content: 'basis-[calc(100%-1.75rem)]!' };

const options = (description: ReactNode, action: ToastAction | undefined, { id, second }: Extras) => ({
  ...(description === undefined ? {} : { description }),
  ...(action === undefined ? {} : { action, duration: ACTION_MS }),
  ...(second === undefined ? {} : { cancel: second, classNames: TWO_BUTTONS }),
  ...(id === undefined ? {} : { id }),
});

/** Short news that passes: what was done, or what went wrong ("destructive"). */
export const toast = {
  success: (title: string, description?: ReactNode, action?: ToastAction, extras: Extras = {}) =>
    sonner.success(title, options(description, action, extras)),
  error: (title: string, description?: ReactNode, action?: ToastAction, extras: Extras = {}) =>
    sonner.error(title, options(description, action, extras)),
  /** Stays until other news of the same `id` takes its place. */
  pending: (title: string, description: string, id: string) =>
    sonner.loading(title, options(description, undefined, { id })),
  info: (title: string, description?: ReactNode, action?: ToastAction, extras: Extras = {}) =>
    sonner(title, options(description, action, extras)),
  dismiss: (id: string): void => void sonner.dismiss(id),
};

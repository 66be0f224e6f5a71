import { toast as sonner } from 'sonner';

/** How long a toast with a button stays, in ms: long enough to reach it. */
const ACTION_MS = 10_000;

type ToastAction = { label: string; onClick: () => void };

const options = (description: string | undefined, action: ToastAction | undefined, id: string | undefined) => ({
  ...(description === undefined ? {} : { description }),
  ...(action === undefined ? {} : { action, duration: ACTION_MS }),
  ...(id === undefined ? {} : { id }),
});

/** Short news that passes: what was done, or what went wrong ("destructive"). News of the same `id` share one toast. */
export const toast = {
  success: (title: string, description?: string, action?: ToastAction, id?: string) =>
    sonner.success(title, options(description, action, id)),
  error: (title: string, description?: string, action?: ToastAction, id?: string) =>
    sonner.error(title, options(description, action, id)),
  /** Stays until other news of the same `id` takes its place. */
  pending: (title: string, description: string, id: string) =>
    sonner.loading(title, options(description, undefined, id)),
  info: (title: string, description?: string, action?: ToastAction, id?: string) =>
    sonner(title, options(description, action, id)),
  /** Whether news of this `id` can be seen now. */
  isShown: (id: string): boolean => sonner.getToasts().some((one) => one.id === id),
};

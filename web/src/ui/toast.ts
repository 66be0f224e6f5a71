import { toast as sonner } from 'sonner';

/** How long a toast with a button stays, in ms: long enough to reach it. */
const ACTION_MS = 10_000;

type ToastAction = { label: string; onClick: () => void };

const options = (description: string | undefined, action: ToastAction | undefined) => ({
  ...(description === undefined ? {} : { description }),
  ...(action === undefined ? {} : { action, duration: ACTION_MS }),
});

/** Short news that passes: what was done, or what went wrong ("destructive"). */
export const toast = {
  success: (title: string, description?: string, action?: ToastAction) =>
    sonner.success(title, options(description, action)),
  error: (title: string, description?: string, action?: ToastAction) =>
    sonner.error(title, options(description, action)),
  info: (title: string, description?: string, action?: ToastAction) => sonner(title, options(description, action)),
};

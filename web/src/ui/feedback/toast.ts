import type { ReactNode } from 'react';

/** How long a toast with a button stays, in ms: long enough to reach it. */
const ACTION_MS = 10_000;

export type ToastAction = { label: string; onClick: () => void };

/** `id`: toasts of the same id take each other's place. `second`: another button, beside the action. `stays`: until it is dismissed. */
type Extras = { id?: string | undefined; second?: ToastAction | undefined; stays?: boolean };

/** Two buttons stand below the text, which they would leave no room beside them. */
const TWO_BUTTONS = { toast: 'flex-wrap justify-end', content: 'basis-[calc(100%-1.75rem)]!' };

type Options = {
  id?: string;
  description?: ReactNode;
  action?: ToastAction;
  cancel?: ToastAction;
  duration?: number;
  classNames?: typeof TWO_BUTTONS;
};

const options = (description: ReactNode, action: ToastAction | undefined, { id, second, stays }: Extras): Options => ({
  ...(description === undefined ? {} : { description }),
  ...(action === undefined ? {} : { action, duration: ACTION_MS }),
  ...(stays ? { duration: Number.POSITIVE_INFINITY } : {}),
  ...(second === undefined ? {} : { cancel: second, classNames: TWO_BUTTONS }),
  ...(id === undefined ? {} : { id }),
});

type Show = (title: string, options?: Options) => unknown;
/** What shows toasts: sonner, or what stands in for it. */
export type ToastLibrary = Show & { success: Show; error: Show; loading: Show; dismiss: (id: string) => unknown };

let library: ToastLibrary | undefined;
/** Toasts from before the library was loaded, oldest first. */
const waiting: ((library: ToastLibrary) => void)[] = [];

/** Called with the library once it has arrived, which is after the page: until then toasts wait for it. */
export function bringToasts(arrived: ToastLibrary): void {
  library = arrived;
  for (const show of waiting.splice(0)) show(arrived);
}

function withLibrary(show: (library: ToastLibrary) => void): void {
  if (library) show(library);
  else waiting.push(show);
}

/** Short news that passes: what was done, or what went wrong ("destructive"). */
export const toast = {
  success: (title: string, description?: ReactNode, action?: ToastAction, extras: Extras = {}) =>
    withLibrary((sonner) => sonner.success(title, options(description, action, extras))),
  error: (title: string, description?: ReactNode, action?: ToastAction, extras: Extras = {}) =>
    withLibrary((sonner) => sonner.error(title, options(description, action, extras))),
  /** Stays until other news of the same `id` takes its place. */
  pending: (title: string, description: string, id: string) =>
    withLibrary((sonner) => sonner.loading(title, options(description, undefined, { id }))),
  info: (title: string, description?: ReactNode, action?: ToastAction, extras: Extras = {}) =>
    withLibrary((sonner) => sonner(title, options(description, action, extras))),
  dismiss: (id: string): void => withLibrary((sonner) => sonner.dismiss(id)),
};

import { Toaster as Sonner, toast } from 'sonner';
import { bringToasts } from './toast.ts';

bringToasts(toast);

/** Toast defaults of spec section 9: 4 s, three visible. */
const TOAST_MS = 4000;
const VISIBLE_TOASTS = 3;
/** Leaves a bar at the foot of the page free; `styles.css` says how high it stands. */
const ABOVE_BARS = 'var(--above-bars)';

/** Where toasts appear; once in the app. */
export function Toaster({ theme }: { theme: 'light' | 'dark' }) {
  return (
    <Sonner
      theme={theme}
      duration={TOAST_MS}
      visibleToasts={VISIBLE_TOASTS}
      position="bottom-right"
      offset={{ bottom: ABOVE_BARS, right: '1rem' }}
      mobileOffset={{ bottom: ABOVE_BARS, left: '1rem', right: '1rem' }}
      style={{ fontFamily: 'inherit' }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'group flex w-(--width) items-start gap-3 rounded-lg border bg-raised px-4 py-3 text-base text-foreground shadow-raised',
          content: 'min-w-0 flex-1 grid gap-0.5',
          title: 'font-medium',
          description: 'text-secondary',
          icon: 'mt-0.5 [&_svg]:size-4 group-data-[type=success]:text-success group-data-[type=error]:text-danger',
          cancelButton: 'h-7 shrink-0 rounded-md px-2.5 font-medium text-secondary text-sm hover:bg-hover',
          actionButton: 'h-7 shrink-0 rounded-md border px-2.5 font-medium text-sm hover:bg-hover',
        },
      }}
    />
  );
}

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Alert } from './alert.tsx';
import { bringToasts, type ToastAction, type ToastLibrary } from './toast.ts';
import type { Tone } from './tone.ts';

type Shown = { id: string; tone: Tone; title: string; description: ReactNode; actions: readonly ToastAction[] };

/** How long news of something that went well stays, in ms. */
const PASSING_MS = 10_000;
const DISMISS = 'Dismiss';

/** Where news appears if the file that shows toasts cannot be had. What went wrong stays until it is dismissed. */
export function PlainToasts() {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(() => {
    const show =
      (tone: Tone, passes = false): ToastLibrary['error'] =>
      (title, { id = crypto.randomUUID(), description, action, cancel } = {}) => {
        const news = { id, tone, title, description, actions: [action, cancel].filter((one) => one !== undefined) };
        setShown((all) => [...without(all, id), news]);
        if (passes) setTimeout(() => setShown((all) => all.filter((one) => one !== news)), PASSING_MS);
      };
    bringToasts(
      Object.assign(show('neutral', true), {
        success: show('success', true),
        error: show('danger'),
        loading: show('warning'),
        dismiss: (id: string) => setShown((all) => without(all, id)),
      }),
    );
  }, []);
  return (
    <div className="fixed right-4 bottom-(--above-bars) left-4 z-50 grid gap-2 sm:left-auto sm:w-96">
      {shown.map(({ id, tone, title, description, actions }) => (
        <Alert
          key={id}
          tone={tone}
          title={title}
          className="bg-raised shadow-raised"
          action={withDismiss(actions).map(({ label, onClick }) => (
            <Button
              key={label}
              size="sm"
              onClick={() => {
                onClick();
                setShown((all) => without(all, id));
              }}
            >
              {label}
            </Button>
          ))}
        >
          {description}
        </Alert>
      ))}
    </div>
  );
}

const withDismiss = (actions: readonly ToastAction[]): readonly ToastAction[] =>
  actions.some(({ label }) => label === DISMISS) ? actions : [...actions, { label: DISMISS, onClick: () => {} }];

const without = (all: readonly Shown[], id: string): readonly Shown[] => all.filter((one) => one.id !== id);

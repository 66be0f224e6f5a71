import { useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { bringToasts, type ToastLibrary } from './toast.ts';

type News = { id: string; title: string; more: NonNullable<Parameters<ToastLibrary>[1]> };

/** Where news appears if the file that shows toasts cannot be had, until it is dismissed. What went well is not told. */
export function PlainToasts() {
  const [all, setAll] = useState<readonly News[]>([]);
  const dismiss = (id: string) => setAll((all) => all.filter((one) => one.id !== id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what shows news is brought once
  useEffect(() => {
    const show: ToastLibrary['error'] = (title, more = {}) => {
      const { id = title } = more;
      dismiss(id);
      setAll((all) => [...all, { id, title, more }]);
    };
    bringToasts(Object.assign(show, { success: () => {}, error: show, loading: show, dismiss }));
  }, []);
  return (
    <div className="fixed right-4 bottom-(--above-bars) z-50 grid gap-2">
      {all.map(({ id, title, more: { description, action } }) => (
        <div key={id} role="alert" className="w-80 rounded-lg border bg-raised px-4 py-3">
          <p className="font-medium">{title}</p>
          {description}
          <div className="mt-2 flex gap-2">
            {action && action.label !== 'Dismiss' ? <Button onClick={action.onClick}>{action.label}</Button> : null}
            <Button onClick={() => dismiss(id)}>Dismiss</Button>
          </div>
        </div>
      ))}
    </div>
  );
}

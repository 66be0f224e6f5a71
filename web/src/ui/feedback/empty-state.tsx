import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/ui/cn.ts';

/** Says that there is nothing, why, and the one thing to do about it. */
export function EmptyState({
  icon: Icon,
  title,
  description,
  action,
  className,
}: {
  icon?: LucideIcon;
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  className?: string | undefined;
}) {
  return (
    <div
      className={cn(
        'grid justify-items-center gap-1 rounded-lg border border-dashed px-6 py-14 text-center',
        className,
      )}
    >
      {Icon ? (
        <span className="mb-3 grid size-10 place-items-center rounded-lg border bg-surface text-faint">
          <Icon aria-hidden className="size-5" />
        </span>
      ) : null}
      <h3 className="font-semibold text-lg">{title}</h3>
      {description ? <p className="max-w-prose text-secondary">{description}</p> : null}
      {action ? <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

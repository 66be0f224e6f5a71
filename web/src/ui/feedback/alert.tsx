import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/ui/cn.ts';
import type { Tone } from './tone.ts';

const looks = {
  neutral: { box: 'bg-muted', text: 'text-secondary', Icon: Info },
  info: { box: 'border-info/25 bg-info-soft', text: 'text-info', Icon: Info },
  success: { box: 'border-success/25 bg-success-soft', text: 'text-success', Icon: CircleCheck },
  warning: { box: 'border-warning/25 bg-warning-soft', text: 'text-warning', Icon: TriangleAlert },
  danger: { box: 'border-danger/25 bg-danger-soft', text: 'text-danger', Icon: CircleX },
} satisfies Record<Tone, object>;

/** A message that stays in the page. Danger and warning are announced at once, the others politely. */
export function Alert({
  tone = 'neutral',
  title,
  action,
  className,
  children,
}: {
  tone?: Tone;
  title?: ReactNode;
  /** A button at the right end. */
  action?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}) {
  const { box, text, Icon } = looks[tone];
  return (
    <div
      role={tone === 'danger' || tone === 'warning' ? 'alert' : 'status'}
      className={cn('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border px-4 py-3', box, className)}
    >
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0 self-start', text)} />
      <div className="min-w-0 flex-1 basis-56">
        {title ? <p className={cn('font-medium', text)}>{title}</p> : null}
        {children ? <div className="text-foreground">{children}</div> : null}
      </div>
      {action ? <div className="flex shrink-0 gap-2 print:hidden">{action}</div> : null}
    </div>
  );
}

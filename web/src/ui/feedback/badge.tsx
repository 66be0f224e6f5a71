import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';
import type { Tone } from './tone.ts';

const tones: Record<Tone, string> = {
  neutral: 'border-border bg-muted text-secondary',
  info: 'border-info/25 bg-info-soft text-info',
  success: 'border-success/25 bg-success-soft text-success',
  warning: 'border-warning/25 bg-warning-soft text-warning',
  danger: 'border-danger/25 bg-danger-soft text-danger',
};

/** A status in one or two words, with an icon before it if wanted. */
export function Badge({ tone = 'neutral', className, ...props }: ComponentProps<'span'> & { tone?: Tone }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 max-w-full shrink-0 items-center gap-1 whitespace-nowrap rounded-md border px-1.5 font-medium text-xs',
        '[&_svg]:size-3 [&_svg]:shrink-0',
        tones[tone],
        className,
      )}
      {...props}
    />
  );
}

import { cn } from '#web/ui/cn.ts';

/** A thin bar. `value` in percent; without it, work of unknown length. */
export function Progress({
  value,
  label,
  className,
}: {
  value?: number | undefined;
  label: string;
  className?: string | undefined;
}) {
  const percent = value === undefined ? undefined : Math.min(100, Math.max(0, value));
  return (
    <div
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={percent === undefined ? undefined : `${Math.round(percent)}%`}
      aria-label={label}
      className={cn('h-1 w-full overflow-hidden rounded-full bg-hover', className)}
    >
      <div
        className={cn(
          'block h-full rounded-full bg-secondary transition-[width] duration-200',
          percent === undefined && 'animate-slide',
        )}
        style={{ width: `${percent ?? 40}%` }}
      />
    </div>
  );
}

import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section className={cn('flex min-w-0 flex-col rounded-lg border bg-surface', className)} {...props} />;
}

export function CardHeader({ className, ...props }: ComponentProps<'header'>) {
  return <header className={cn('grid gap-1 px-4 pt-4', className)} {...props} />;
}

/** `level`: 3 for a card inside a section that has a heading of its own. */
export function CardTitle({ className, children, level = 2, ...props }: ComponentProps<'h2'> & { level?: 2 | 3 }) {
  const Heading = `h${level}` as const;
  return (
    <Heading className={cn('min-w-0 font-semibold text-base', className)} {...props}>
      {children}
    </Heading>
  );
}

export function CardDescription({ className, ...props }: ComponentProps<'p'>) {
  return <p className={cn('text-secondary', className)} {...props} />;
}

export function CardContent({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('min-w-0 p-4', className)} {...props} />;
}

export function CardFooter({ className, ...props }: ComponentProps<'footer'>) {
  return (
    <footer className={cn('mt-auto flex flex-wrap items-center gap-2 border-t px-4 py-3', className)} {...props} />
  );
}

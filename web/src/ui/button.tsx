import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import { type ComponentProps, type MouseEvent, type MouseEventHandler, useRef } from 'react';
import { cn } from './cn.ts';
import { Spinner } from './feedback/spinner.tsx';

/** The classes of a button, for links that have to look like one. */
const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-lg font-medium transition-colors ' +
    'disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 ' +
    '[&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*=size-])]:size-4',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-accent-foreground hover:bg-accent-hover',
        secondary: 'border bg-surface text-foreground hover:bg-hover dark:bg-muted dark:hover:bg-hover',
        ghost: 'text-secondary hover:bg-hover hover:text-foreground data-[state=open]:bg-hover',
        danger: 'bg-danger text-danger-foreground hover:bg-danger-hover',
        link: 'text-accent underline-offset-4 hover:underline',
      },
      size: {
        sm: 'h-7 px-2.5 text-sm',
        md: 'h-8 px-3 text-base',
        lg: 'h-10 px-4 text-base',
        icon: 'size-8',
        'icon-sm': 'size-7',
      },
    },
    compoundVariants: [{ variant: 'link', class: 'h-auto px-0' }],
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonVariants> & {
    /** Working: shows a spinner before the label and takes no clicks. Whatever sends something has it, so that a double click sends once. */
    pending?: boolean | undefined;
    /** Renders its only child (a link) with the looks of a button. */
    asChild?: boolean | undefined;
  };

/** A click, or Enter in the form of a submit button, does nothing while `pending`, nor in the moment before that is shown. */
function usePress(pending: boolean, onClick: MouseEventHandler<HTMLButtonElement> | undefined) {
  const held = useRef(false);
  return (event: MouseEvent<HTMLButtonElement>) => {
    if (pending || held.current) {
      event.preventDefault();
      return;
    }
    held.current = true;
    // A form checks what was typed in one turn, and its request says that it is pending in the next.
    setTimeout(() =>
      setTimeout(() => {
        held.current = false;
      }),
    );
    onClick?.(event);
  };
}

/** Use `primary` once on a screen, for the next thing to do. `icon` sizes need an `aria-label`. */
export function Button({
  className,
  variant,
  size,
  pending,
  asChild = false,
  onClick,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  const press = usePress(pending === true, onClick);
  if (asChild) {
    return (
      <Slot.Root className={classes} onClick={onClick} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      // Not `disabled`, which would take the keyboard's focus away while it works.
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={pending === undefined ? onClick : press}
      {...props}
    >
      {pending ? <Spinner /> : null}
      {children}
    </button>
  );
}

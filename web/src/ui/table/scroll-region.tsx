import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';

type Hidden = { left: boolean; right: boolean };

/**
 * A box that scrolls its content, reachable by keyboard, with a shade at the right edge while there is more to see.
 * Inside, `group-data-[more-left]/scroll:` styles what stays in place once the rest has moved under it.
 */
export function ScrollRegion({
  label,
  scroller,
  className,
  children,
}: {
  label: string;
  /** Is given the box that scrolls. */
  scroller?: RefObject<HTMLElement | null> | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  const own = useRef<HTMLElement>(null);
  const box = scroller ?? own;
  const [hidden, setHidden] = useState<Hidden>({ left: false, right: false });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const left = element.scrollLeft > 0;
      const right = element.scrollLeft + element.clientWidth < element.scrollWidth - 1;
      setHidden((known) => (known.left === left && known.right === right ? known : { left, right }));
    };
    look();
    const sizes = new ResizeObserver(look);
    for (const watched of [element, ...element.children]) sizes.observe(watched);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  return (
    <div className="group/scroll relative min-w-0 print:contents" data-more-left={hidden.left || undefined}>
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
        tabIndex={0}
        className={cn(
          'relative w-full overflow-auto rounded-lg border bg-surface print:overflow-visible print:border-0',
          className,
        )}
      >
        {children}
      </section>
      <div
        aria-hidden
        className={cn(
          'pointer-events-none absolute inset-y-px right-px z-20 w-10 rounded-r-lg bg-linear-to-l from-[rgb(0_0_0/0.14)] to-transparent dark:from-[rgb(0_0_0/0.6)] transition-opacity print:hidden',
          !hidden.right && 'opacity-0',
        )}
      />
    </div>
  );
}

const ABOVE_BARS = '--above-bars';
/** Between the bar and what stands above it, in px. */
const GAP = 12;
/** Below a bar that stands this far up, in px, toasts have room in their usual place. */
const ROOM_BELOW = 160;

/** Keeps toasts and scrolled focus above a bar near the foot of the page, wherever it stands. */
export function keepClear(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const root = document.documentElement;
  let frame = 0;
  const place = () => {
    const { top, bottom } = bar.getBoundingClientRect();
    if (innerHeight - bottom > ROOM_BELOW || top > innerHeight) root.style.removeProperty(ABOVE_BARS);
    else root.style.setProperty(ABOVE_BARS, `${Math.ceil(innerHeight - top + GAP)}px`);
  };
  const placeSoon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  };
  const sizes = new ResizeObserver(placeSoon);
  // The page grows and shrinks above the bar as well.
  for (const one of [bar, document.body]) sizes.observe(one);
  addEventListener('scroll', placeSoon, { passive: true });
  addEventListener('resize', placeSoon);
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    removeEventListener('scroll', placeSoon);
    removeEventListener('resize', placeSoon);
    root.style.removeProperty(ABOVE_BARS);
  };
}

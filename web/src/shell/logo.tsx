import { cn } from '#web/ui/cn.ts';

/** A rope that runs through a ring. */
export function LogoMark({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={cn('size-6 shrink-0', className)}>
      <mask id="logo-rope-in-front" maskUnits="userSpaceOnUse" x="0" y="0" width="24" height="24">
        <path d="M0 0h24v24H0z" fill="#fff" />
        <path d="M10.4 11.4c2.4-3.4 5.4-5.9 12.1-5.9" stroke="#000" strokeWidth="5" />
      </mask>
      <path d="M1.5 18.5c4.2 0 5.4-2.3 7.4-5.1" className="stroke-accent" strokeWidth="2.6" strokeLinecap="round" />
      <circle cx="12" cy="12" r="6.4" className="stroke-foreground" strokeWidth="2.2" mask="url(#logo-rope-in-front)" />
      <path d="M9.6 12.6c2.9-4.2 5.6-7.1 12.9-7.1" className="stroke-accent" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

export function Logo({ className }: { className?: string | undefined }) {
  return (
    <span className={cn('inline-flex items-center gap-2 font-semibold text-lg tracking-tight', className)}>
      <LogoMark />
      Fairlead
    </span>
  );
}

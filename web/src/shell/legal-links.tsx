import { Link } from 'react-router';
import { cn } from '#web/ui/cn.ts';

const LEGAL_PAGES = [
  { to: '/terms', label: 'Terms' },
  { to: '/privacy', label: 'Privacy' },
  { to: '/data-sources', label: 'Data sources' },
] as const;

/** The small print, for the foot of a page or of the sidebar. */
export function LegalLinks({
  label = 'Legal',
  className,
  onNavigate,
}: {
  /** Tells two of them on one page apart. */
  label?: string;
  className?: string;
  onNavigate?: () => void;
}) {
  return (
    <nav aria-label={label} className={cn('flex flex-wrap gap-x-3 gap-y-1 text-faint text-sm', className)}>
      {LEGAL_PAGES.map(({ to, label }) => (
        <Link key={to} to={to} onClick={onNavigate} className="rounded-sm py-1 hover:text-foreground hover:underline">
          {label}
        </Link>
      ))}
    </nav>
  );
}

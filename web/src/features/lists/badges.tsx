import { Check, FlaskConical, Hourglass, ShieldCheck, TriangleAlert } from 'lucide-react';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import type { ListBadge } from './list-badges.ts';

const ICONS = {
  progress: <Spinner />,
  failure: <TriangleAlert aria-hidden />,
  tier: <Check aria-hidden />,
  compliance: <ShieldCheck aria-hidden />,
  retention: <Hourglass aria-hidden />,
  sandbox: <FlaskConical aria-hidden />,
};

export function ListBadges({ badges }: { badges: readonly ListBadge[] }) {
  if (badges.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1" aria-label="Status">
      {badges.map((badge) => (
        <li key={badge.label} className="flex max-w-full">
          <Badge tone={badge.tone}>
            {ICONS[badge.kind]}
            {badge.label}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

import { LoaderCircle } from 'lucide-react';
import { cn } from '#web/ui/cn.ts';

/** Only inside a button that is working; a page that loads shows skeletons. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <LoaderCircle aria-hidden className={cn('size-4 animate-spin', className)} />;
}

import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card, CardContent, CardFooter, CardHeader } from '#web/ui/layout/card.tsx';

/** A ProviderCard whose key is not known yet. */
export function ProviderCardSkeleton() {
  return (
    <Card>
      <CardHeader>
        <Skeleton className="h-5 w-40" />
        <Skeleton className="w-56 max-w-full" />
      </CardHeader>
      <CardContent>
        <Skeleton className="w-32" />
      </CardContent>
      <CardFooter>
        <Skeleton className="h-7 w-20" />
        <Skeleton className="ml-auto h-7 w-28" />
      </CardFooter>
    </Card>
  );
}

import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Alert } from './alert.tsx';

type FailedQuery = { isFetching: boolean; refetch: () => Promise<unknown> };

/** Says what could not be read and, as `children`, why; the button reads `query` again. */
export function ReadFailed({
  title,
  query,
  again = 'Retry',
  remedy,
  children,
}: {
  title: string;
  query: FailedQuery;
  /** The words of the button. */
  again?: string;
  /** What mends it where reading again cannot. */
  remedy?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Alert
      tone="danger"
      title={title}
      action={
        <>
          {remedy}
          <Button size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
            {again}
          </Button>
        </>
      }
    >
      {children}
    </Alert>
  );
}

import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { isMissingFile, reloadIfNewer, reloadWhenBack } from '#web/lib/browser/reload-if-newer.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from './empty-state.tsx';

/** What stands in place of a part that broke. */
export function SomethingWentWrong({
  description = 'This part of the page could not be shown. Your data is safe.',
}: {
  description?: string;
}) {
  return (
    <div role="alert">
      <EmptyState
        icon={TriangleAlert}
        title="Something went wrong"
        description={description}
        action={
          <Button variant="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      />
    </div>
  );
}

/**
 * Catches errors thrown while its children render. A changed `resetKey` (the address) gives them another try.
 * - `fallback`: stands there instead, for a part that the page can do without.
 */
export class ErrorBoundary extends Component<
  { children: ReactNode; resetKey?: string; fallback?: ReactNode },
  { failedAt: string | undefined; failed: boolean }
> {
  override state = { failed: false, failedAt: undefined as string | undefined };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps(
    props: { resetKey?: string },
    state: { failed: boolean; failedAt: string | undefined },
  ) {
    if (state.failedAt === props.resetKey) return null;
    return { failed: false, failedAt: props.resetKey };
  }

  #stopWaiting = () => {};

  override componentDidCatch(error: unknown) {
    if (!isMissingFile(error)) return;
    void reloadIfNewer();
    this.#stopWaiting();
    if (this.props.fallback === undefined) this.#stopWaiting = reloadWhenBack();
  }

  override componentWillUnmount() {
    this.#stopWaiting();
  }

  override render() {
    const { children, fallback = <SomethingWentWrong /> } = this.props;
    return this.state.failed ? fallback : children;
  }
}

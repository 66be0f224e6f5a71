import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { STAY } from '#web/lib/browser/stay.ts';

const NAME = 'run';

/** Which run the address shows over the page (`?run=…`), and the ways to show another one or none. Back closes it. */
export function useRunAddress() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { openedHere?: boolean } | null };
  const go = (runId: string | undefined, replace: boolean, openedHere: boolean) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (runId) next.set(NAME, runId);
        else next.delete(NAME);
        return next;
      },
      { replace, state: { ...STAY, openedHere } },
    );
  const opened = state?.openedHere === true;
  return {
    runId: params.get(NAME) ?? undefined,
    show: (runId: string) => go(runId, false, true),
    /** Instead of the one shown, so that Back still closes. */
    switchTo: (runId: string) => go(runId, true, opened),
    // A page that was opened at this address has nothing of its own behind it.
    close: () => (opened ? void navigate(-1) : go(undefined, true, false)),
  };
}

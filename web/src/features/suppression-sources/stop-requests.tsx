import { MOST_STOP_REQUESTS, type StopRequest } from '#contract/calling/suppression-sources.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, formatDate, formatPhone, formatTime } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useDecideRequest } from './api.ts';

/** Numbers and addresses that no code could confirm: someone decides. */
export function StopRequests({ items, total }: { items: readonly StopRequest[]; total: number }) {
  return (
    <section aria-label="Requests from the public page" className="grid gap-2">
      <div>
        <h3 className="font-medium">Waiting for you: {formatCount(total)}</h3>
        <p className="text-secondary text-sm">Entered on the public page, and not confirmed with a code.</p>
      </div>
      <ul className="grid max-h-80 gap-1 overflow-y-auto">
        {items.map((request) => (
          <Request key={request.id} request={request} />
        ))}
      </ul>
      {total > items.length ? (
        <p className="text-secondary text-sm">
          {formatCount(items.length)} are shown, the oldest of each network first.
        </p>
      ) : null}
      {total >= MOST_STOP_REQUESTS ? (
        <p className="text-secondary text-sm">
          New requests are turned away until you decide some of these. People who ask are told so.
        </p>
      ) : null}
    </section>
  );
}

function Request({ request: { id, kind, value, at } }: { request: StopRequest }) {
  const deciding = useDecideRequest();
  const shown = kind === 'phone' ? formatPhone(value) : value;
  const decide = (suppress: boolean) =>
    deciding.mutate(
      { id, suppress },
      {
        onSuccess: () => toast.success(suppress ? 'Suppressed' : 'Let go', shown),
        onError: (error) => toast.error('That did not work', errorMessage(error)),
      },
    );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        <bdi className="font-medium tabular-nums">{shown}</bdi>{' '}
        <span className="text-secondary text-sm" title={formatTime(at)}>
          {formatDate(at)}
        </span>
      </span>
      <Button size="sm" aria-label={`Suppress ${shown}`} pending={deciding.isPending} onClick={() => decide(true)}>
        Suppress
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Let ${shown} go`}
        pending={deciding.isPending}
        onClick={() => decide(false)}
      >
        Let go
      </Button>
    </li>
  );
}

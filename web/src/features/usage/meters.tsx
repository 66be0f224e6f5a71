import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { listMetersEndpoint, type Meter, type MeteredProvider, readMeterEndpoint } from '#contract/money/meters.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { API_PROVIDERS, namesApiProviders } from '#web/lib/format/api-providers.tsx';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { meterText } from './meter-words.ts';
import { UsageSection } from './usage-tables.tsx';

const KEY = ['usage', 'meters'];

/** What providers say that they charged, beside what the ledger holds. */
export function Meters() {
  const meters = useQuery({ queryKey: KEY, queryFn: ({ signal }) => callApi(listMetersEndpoint, { signal }) });
  if (meters.data?.connected.length === 0) return null;
  return (
    <UsageSection title="Compared with the providers">
      {meters.data ? (
        <ul className="divide-y rounded-lg border bg-surface">
          {meters.data.connected.map((provider) => (
            <MeterRow
              key={provider}
              provider={provider}
              meter={meters.data.meters.find((one) => one.provider === provider)}
            />
          ))}
        </ul>
      ) : meters.isError ? (
        <ReadFailed title="The comparisons could not be loaded" query={meters}>
          {errorMessage(meters.error)}
        </ReadFailed>
      ) : (
        <Skeleton className="h-24 w-full rounded-lg" />
      )}
    </UsageSection>
  );
}

function MeterRow({ provider, meter }: { provider: MeteredProvider; meter: Meter | undefined }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const reading = useMutation({
    mutationFn: () => callApi(readMeterEndpoint, { body: { provider } }),
    onError: (error) => {
      const text = errorMessage(error);
      const settings = { label: 'Open Settings', onClick: () => void navigate(API_PROVIDERS.path) };
      toast.error('Not compared', text, namesApiProviders(text) ? settings : undefined);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  const { name } = PROVIDER_CATALOGUE[provider];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <p className="flex items-center gap-2 font-medium">
          {name}
          {meter?.state === 'drifts' ? <Badge tone="danger">Differs</Badge> : null}
          {meter?.state === 'agrees' ? <Badge tone="success">Agrees</Badge> : null}
        </p>
        <p className="text-secondary text-sm tabular-nums">{meterText(provider, meter)}</p>
      </div>
      <Button
        size="sm"
        aria-label={`Compare with ${name}`}
        pending={reading.isPending}
        onClick={() => reading.mutate()}
      >
        Compare
      </Button>
    </li>
  );
}

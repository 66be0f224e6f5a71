import { errorMessage } from '#web/lib/backend/api-error.ts';
import { MessageText } from '#web/lib/format/api-providers.tsx';
import { formatRate } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import type { useLookUp } from './api.ts';

/** Has the location found out for the price that it names, in micro-dollars, of `sandbox` money or not; a failure stands above it. */
export function LookUpButton({
  location,
  micros,
  sandbox,
  lookUp,
}: {
  location: string;
  micros: number;
  sandbox: boolean | undefined;
  lookUp: ReturnType<typeof useLookUp>;
}) {
  const asked = lookUp.variables?.location === location;
  const failed = asked && lookUp.isError;
  const price = formatRate(micros);
  return (
    <div className="mt-3 grid grid-cols-1 justify-items-start gap-2">
      {failed ? (
        <p role="alert" className="text-danger text-sm">
          <MessageText text={errorMessage(lookUp.error)} />
        </p>
      ) : null}
      <Button
        size="sm"
        className="max-w-full"
        pending={asked && lookUp.isPending}
        onClick={() => lookUp.mutate({ location, sandbox })}
      >
        {failed ? (
          `Retry the look-up (${price})`
        ) : (
          <span className="flex min-w-0 gap-1">
            <span className="truncate">{`Look up “${location}”`}</span> <span>{`(${price}) and count`}</span>
          </span>
        )}
      </Button>
    </div>
  );
}

import type { ReactNode } from 'react';
import type { SurveyCount } from '#contract/work/search/surveys.ts';
import { LookUpButton } from '#web/features/search/look-up-button.tsx';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, formatMoment, plural } from '#web/lib/format/format.ts';
import { timeLeftText } from '#web/lib/format/time-left.ts';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PriceBound } from '#web/ui/form/price-bound.tsx';
import { isPriced, largeText, lookText, soFarText } from './area-count-text.ts';
import type { AreaCount } from './use-area-count.ts';

/** How far the free count of an area is, and what its businesses cost at most. Until the fields have settled, its buttons would begin the area before. */
export function AreaPanel({
  count,
  isSettled = true,
  capMicros,
}: {
  count: AreaCount;
  isSettled?: boolean;
  capMicros: number | undefined;
}) {
  if (!count.search) return null;
  return (
    <section aria-label="Places in the area" aria-busy={!isSettled} className="rounded-lg border px-4 py-3">
      <fieldset disabled={!isSettled} className="grid gap-3">
        <AnyState count={count} capMicros={capMicros} />
      </fieldset>
    </section>
  );
}

function AnyState({ count, capMicros }: { count: AreaCount; capMicros: number | undefined }) {
  const { search, query, survey, lookUp, line } = count;
  const { data } = query;
  const failure = survey.begin.error ?? query.error;
  if (failure && data?.state !== 'counting') {
    return (
      <Said text={refusalOf(failure)} alert>
        <Button size="sm" pending={query.isFetching} onClick={() => retry(count)}>
          Try again
        </Button>
      </Said>
    );
  }
  if (!data) return <Skeleton className="w-3/4" />;
  if (data.lookUpMicros > 0) {
    const location = search?.location ?? '';
    return (
      <div>
        <p className="text-secondary text-sm">
          Fairlead must find out where “{location}” is before it can count. It remembers the place, so you pay for it
          once. Counting is free.
        </p>
        <LookUpButton location={location} micros={data.lookUpMicros} sandbox={data.sandbox} lookUp={lookUp} />
      </div>
    );
  }
  if (data.largeSquareMiles !== undefined) {
    return (
      <Said text={largeText(data.largeSquareMiles, data.largeCalls)}>
        <BeginButton survey={survey} how="large" label="Count it all" />
      </Said>
    );
  }
  switch (data.state) {
    case 'counting':
      return <Counting data={data} stop={survey.stop} />;
    case 'counted':
      return (
        <>
          {isPriced(data) ? <PriceBound lines={[line]} capMicros={capMicros} /> : null}
          <Said text={data.gaps > 0 ? gapsText(data.gaps) : AGAIN}>
            <BeginButton
              survey={survey}
              how={data.gaps === 0 ? 'again' : 'on'}
              label={data.gaps > 0 ? 'Count the rest' : 'Count again'}
            />
          </Said>
        </>
      );
    case 'stopped':
      if (data.atLimit)
        return (
          <>
            <PriceBound lines={[line]} capMicros={capMicros} />
            <p className="text-secondary text-sm">{data.why}</p>
          </>
        );
      return data.freeCalls === 0 ? (
        <Said text="Fairlead divides the area until each part holds fewer places than Google shows at once. Counting is free and may take minutes.">
          <BeginButton survey={survey} how="on" label="Count this area" />
        </Said>
      ) : (
        <Stopped data={data} survey={survey} />
      );
  }
}

function Stopped({ data, survey }: { data: SurveyCount; survey: AreaCount['survey'] }) {
  const { why, outOfQuota, resumeAt } = data;
  const next = resumeAt ? ` It continues by itself on ${formatMoment(resumeAt)}.` : '';
  return (
    <Said text={`${soFarText(data)}. ${why ?? 'The count stopped.'}${next}`}>
      <span className="flex flex-wrap gap-2">
        {outOfQuota && !resumeAt ? <BeginButton survey={survey} how="tomorrow" label="Continue tomorrow" /> : null}
        {resumeAt ? (
          <Button size="sm" pending={survey.stop.isPending} onClick={() => survey.stop.mutate()}>
            Do not continue by itself
          </Button>
        ) : null}
        <BeginButton survey={survey} how="on" label={resumeAt ? 'Continue now' : 'Continue counting'} />
      </span>
    </Said>
  );
}

const AGAIN = 'Each of Google’s answers leaves some places out. Another free count adds what this one missed.';
const gapsText = (gaps: number) =>
  `${plural(gaps, 'part')} of the area could not be counted. ${gaps === 1 ? 'It is' : 'They are'} counted free of charge when you continue.`;
function retry({ survey, query }: AreaCount): void {
  survey.begin.reset();
  void query.refetch();
}

/** What is wrong with an area is in the server's words. */
const refusalOf = (error: Error): string =>
  (error instanceof ApiError ? error.serverMessage : undefined) ?? errorMessage(error);

function Counting({ data, stop }: { data: SurveyCount; stop: AreaCount['survey']['stop'] }) {
  const left = timeLeftText(data.etaSeconds);
  return (
    <>
      <Progress
        label={data.again ? 'Second look' : 'Counting the area'}
        value={data.etaSeconds === null ? undefined : 100 * data.share}
      />
      <Said text={[soFarText(data), lookText(data), left].filter(Boolean).join(' · ')}>
        {data.bySearchOf === null ? (
          <Button size="sm" pending={stop.isPending} onClick={() => stop.mutate()}>
            Stop counting
          </Button>
        ) : null}
      </Said>
      {data.bySearchOf === null ? null : (
        <p className="text-secondary text-sm">{`The search of “${data.bySearchOf}” is counting this area. To stop the count, cancel that search.`}</p>
      )}
      <p className="text-faint text-sm">
        {`${formatCount(data.freeCalls)} free requests so far. You can close this dialog: the count continues, and you find it here when you come back.`}
      </p>
    </>
  );
}

type Begin = { survey: AreaCount['survey']; how: 'on' | 'again' | 'large' | 'tomorrow'; label: string };

function BeginButton({ survey, how, label }: Begin) {
  return (
    <Button size="sm" pending={survey.begin.isPending} onClick={() => survey.begin.mutate(how)}>
      {`${label} (free)`}
    </Button>
  );
}

function Said({ text, alert = false, children }: { text: string; alert?: boolean; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p role={alert ? 'alert' : 'status'} className="min-w-0 flex-1 basis-48 text-secondary text-sm tabular-nums">
        {text}
      </p>
      {children}
    </div>
  );
}

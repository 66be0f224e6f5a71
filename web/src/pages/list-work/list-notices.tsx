import { Fragment } from 'react';
import { Link } from 'react-router';
import type { LeadChoice } from '#contract/work/lead-choice.ts';
import type { LeadCounts } from '#contract/work/lead-counts.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { VERDICT_DAYS } from '#contract/work/retention.ts';
import { type RunWork, runWorkOf } from '#contract/work/run-work.ts';
import type { Run, SearchTotals } from '#contract/work/runs.ts';
import { ALL_RESULTS } from '#contract/work/search/areas.ts';
import { verdictsText } from '#web/features/compliance/verdicts-text.ts';
import { CancelRun } from '#web/features/runs/cancel-run.tsx';
import { lastEnded } from '#web/features/runs/failure.ts';
import { FailureNotice } from '#web/features/runs/failure-notice.tsx';
import { isOfArea } from '#web/features/runs/is-of-area.ts';
import { RunProgressNotice } from '#web/features/runs/run-notices.tsx';
import { areaShortfall, currentRun, isOpen, runRemainder, searchShortfall } from '#web/features/runs/run-words.ts';
import { formOf } from '#web/features/search/api.ts';
import { formatMoney, formatRate, plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { CountSoFar, GoesOn, NotBought } from './map/area-notices.tsx';
import { originsText } from './origins-text.ts';
import { RemedyButton } from './remedy-button.tsx';
import type { ListWork } from './use-list-work.tsx';
import { useRunAddress } from './use-run-address.ts';

/** What there is to say about a list above its leads: work under way, what failed, and what the runs left out. */
export function ListNotices({
  list,
  runs = [],
  counts,
  work,
}: {
  list: LeadList;
  runs: readonly Run[] | undefined;
  counts: LeadCounts | undefined;
  work: ListWork;
}) {
  const facts = factsOf(list, runs, counts);
  const expired = counts?.expired ?? 0;
  return (
    <>
      {list.status === 'processing' ? (
        <RunProgressNotice
          runs={runs}
          more={<CountSoFar run={currentRun(runs)} />}
          action={<UnderWay list={list} runs={runs} />}
        />
      ) : null}
      {list.status === 'failed' && !list.archived ? <Failed list={list} run={lastEnded(runs)} work={work} /> : null}
      {list.archived ? (
        <Alert
          tone="neutral"
          title="This list is archived"
          action={
            <Button size="sm" onClick={() => work.handlers.onRestore(list)}>
              Restore List
            </Button>
          }
        >
          Archived lists are deleted after 30 days.
        </Alert>
      ) : null}
      {facts.length > 0 || isOfArea(runs) || expired > 0 || (runs.length > 0 && list.status !== 'processing') ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-secondary text-sm tabular-nums">
          {facts.map(({ about, text }) => (
            <Fragment key={about}>
              <dt className="text-faint">{about}</dt>
              <dd>{text}</dd>
            </Fragment>
          ))}
          <Waiting list={list} runs={runs} />
          <Lost runs={runs} />
          <NotBought list={list} runs={runs} work={work} />
          {expired > 0 ? <Expired list={list} count={expired} work={work} /> : null}
          {isOfArea(runs) ? <CoverageLink list={list} /> : null}
          {runs.length > 0 && list.status !== 'processing' ? <History runs={runs} /> : null}
        </dl>
      ) : null}
    </>
  );
}

type Fact = { about: string; text: string };

/** Why there are fewer leads than asked for, what was not looked up, and what the checks found. */
function factsOf(list: LeadList, runs: readonly Run[], counts: LeadCounts | undefined): Fact[] {
  const completed = (work: RunWork) => runs.find((run) => runWorkOf(run) === work && run.state === 'completed');
  const leftOut = (work: RunWork) => {
    const run = completed(work);
    return run ? runRemainder(run) : undefined;
  };
  const searched = completed('search');
  const texts = {
    From: originsText(list.cameFrom),
    Search: searched?.search && shortfallOf(list, searched, searched.search),
    Emails: [leftOut('enrichment'), leftOut('verification')].filter(Boolean).join(' · '),
    Compliance: [verdictsOf(list, counts), leftOut('compliance')].filter(Boolean).join(' · '),
  };
  return Object.entries(texts).flatMap(([about, text]) => (text ? [{ about, text }] : []));
}

function verdictsOf({ complianceCostMicros }: LeadList, counts: LeadCounts | undefined): string | undefined {
  if (!counts) return undefined;
  const { safe, flagged } = counts;
  return verdictsText({ total: safe + flagged, safe, flagged, cost: complianceCostMicros / 1_000_000 });
}

const shortfallOf = (list: LeadList, { searchFor }: Run, totals: SearchTotals): string | undefined =>
  searchFor?.maxResults === ALL_RESULTS
    ? areaShortfall(totals)
    : searchShortfall(totals, formOf(list.searchParams).radius);

/** The details of the work under way, and its end. */
function UnderWay({ list, runs }: { list: LeadList; runs: readonly Run[] }) {
  const run = currentRun(runs);
  return run ? (
    <>
      <DetailsButton run={run} />
      <CancelRun run={run} of={list.name} size="sm" />
    </>
  ) : null;
}

function DetailsButton({ run }: { run: Run }) {
  const panel = useRunAddress();
  return (
    <Button size="sm" onClick={() => panel.show(run.id)}>
      Details
    </Button>
  );
}

const EXPIRED: LeadChoice = { matching: { verdict: 'expired' } };

/** Verdicts that may no longer be relied on, and the way to buy only those again; its dialog says the price first. */
function Expired({ list, count, work }: { list: LeadList; count: number; work: ListWork }) {
  const checkable = list.status !== 'processing' && !list.archived;
  return (
    <>
      <dt className="text-faint">Expired</dt>
      <dd className="flex flex-wrap gap-x-3">
        {`${plural(count, 'verdict is', 'verdicts are')} older than ${VERDICT_DAYS} days and ${count === 1 ? 'counts' : 'count'} as not checked`}
        {checkable ? (
          <Button
            variant="link"
            size="sm"
            className="text-sm"
            onClick={() => work.checkSelected(list, { choice: EXPIRED, count })}
          >
            Re-check only the expired
          </Button>
        ) : null}
      </dd>
    </>
  );
}

function CoverageLink({ list }: { list: LeadList }) {
  return (
    <>
      <dt className="text-faint">Coverage</dt>
      <dd className="flex flex-wrap gap-x-3">
        Searched for all businesses of an area
        <Button variant="link" size="sm" className="text-sm" asChild>
          <Link to={`/lists/${list.id}/coverage`}>Show certificate</Link>
        </Button>
      </dd>
    </>
  );
}

/** The search of a list that goes on by itself another day, where no notice of its failure says so: other work has ended since, or is under way. */
function Waiting({ list, runs }: { list: LeadList; runs: readonly Run[] }) {
  const search = runs.find(({ kind }) => kind === 'search');
  const isSaid = list.archived || (list.status === 'failed' && lastEnded(runs) === search);
  return search?.resumeAt && !isSaid ? (
    <>
      <dt className="text-faint">Search</dt>
      <dd>
        <GoesOn run={search} at={search.resumeAt} />
      </dd>
    </>
  ) : null;
}

/** What lost answers may have cost, run after run until all are settled. */
function Lost({ runs }: { runs: readonly Run[] }) {
  const panel = useRunAddress();
  const unsettled = runs.filter((run) => run.uncertainMicros > 0 && !isOpen(run));
  const [newest] = unsettled;
  const micros = unsettled.reduce((sum, run) => sum + run.uncertainMicros, 0);
  return newest ? (
    <>
      <dt className="text-faint">Lost</dt>
      <dd className="flex flex-wrap gap-x-3">
        {`${formatRate(micros)} may have been charged for results that did not arrive`}
        <Button variant="link" size="sm" className="text-sm" onClick={() => panel.show(newest.id)}>
          Settle
        </Button>
      </dd>
    </>
  ) : null;
}

/** What has been done to the list before. */
function History({ runs }: { runs: readonly Run[] }) {
  const panel = useRunAddress();
  const newest = runs[0];
  const spent = runs.reduce((sum, run) => sum + run.costMicros, 0);
  return newest ? (
    <>
      <dt className="text-faint">Runs</dt>
      <dd className="flex flex-wrap gap-x-3">
        {`${plural(runs.length, 'run')} · ${formatMoney(spent)} spent`}
        <Button variant="link" size="sm" className="text-sm" onClick={() => panel.show(newest.id)}>
          Show runs
        </Button>
      </dd>
    </>
  ) : null;
}

function Failed({ list, run, work }: { list: LeadList; run: Run | undefined; work: ListWork }) {
  const failure = work.failure(list);
  const remedy = failure?.remedy;
  return (
    <FailureNotice
      failure={failure}
      action={
        <>
          {run?.resumeAt ? <GoesOn run={run} at={run.resumeAt} /> : null}
          {run ? <DetailsButton run={run} /> : null}
          {remedy ? <RemedyButton remedy={remedy} of={list.name} onPress={() => work.mend(remedy, list.id)} /> : null}
          {remedy?.label === 'Connect key' ? null : (
            <Button size="sm" onClick={() => work.handlers.onRetry(list)}>
              Retry
            </Button>
          )}
        </>
      }
    />
  );
}

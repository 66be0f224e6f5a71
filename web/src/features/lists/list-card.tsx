import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { MessageText } from '#web/lib/format/api-providers.tsx';
import { formatCount, formatDate, formatRelative } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { ListBadges } from './badges.tsx';
import { ACTION_LABEL, cardActions, type ListAction } from './card-actions.ts';
import { hasStarted } from './has-started.ts';
import { cardBadges } from './list-badges.ts';
import { ListMenu, type ListMenuHandlers } from './list-menu.tsx';

export type ListCardHandlers = ListMenuHandlers & {
  onEnrich: (list: LeadList) => void;
  onCheckCompliance: (list: LeadList) => void;
  onRetry: (list: LeadList) => void;
  onExport: (list: LeadList) => void;
};

/** One list at a glance, with the next thing to do made obvious. `now` in ms since 1970. */
export function ListCard({
  list,
  now,
  progress,
  waiting,
  runActions,
  failure,
  verdicts,
  ...handlers
}: ListCardHandlers & {
  list: LeadList;
  now: number;
  progress?: { text: string; percent: number | undefined } | undefined;
  /** Why the work under way stands still. */
  waiting?: string | undefined;
  /** What can be done about its newest run, below its progress or failure. */
  runActions?: ReactNode;
  /** Why the list failed. */
  failure?: string | undefined;
  /** What its compliance checks found. */
  verdicts?: ReactNode;
}) {
  const { actions, next } = cardActions(list);
  const others = actions.filter((action) => action !== next);
  const place = list.resolvedPlace || list.searchParams.location || '';
  return (
    <article className="flex h-full min-w-0 flex-col rounded-lg border bg-surface transition-colors hover:border-control/60">
      <div className="grid flex-1 grid-cols-1 content-start gap-3 p-4">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <h3 className="font-semibold">
              <Link
                to={`/lists/${list.id}`}
                dir="auto"
                title={list.name}
                className="line-clamp-2 break-words rounded-sm text-left underline-offset-4 hover:underline"
              >
                {list.name}
              </Link>
            </h3>
            <p className="mt-0.5 truncate text-secondary text-sm">
              {place ? <span dir="auto">{place}</span> : null}
              {place ? ' · ' : null}
              <time dateTime={list.createdAt} title={formatDate(list.createdAt)}>
                {formatRelative(list.createdAt, now)}
              </time>
            </p>
          </div>
          <ListMenu list={list} {...handlers} />
        </div>
        <Figures list={list} />
        <ListBadges badges={cardBadges(list, now)} />
        {list.status === 'processing' && progress ? (
          <div className="grid gap-1.5">
            <p role="status" className="text-secondary text-sm tabular-nums">
              {progress.text}
            </p>
            <Progress value={progress.percent} label={`Progress of ${list.name}`} />
            {waiting ? <p className="text-sm text-warning">{waiting}</p> : null}
          </div>
        ) : null}
        {list.status === 'failed' && failure ? (
          <p className="line-clamp-3 text-danger text-sm" title={failure}>
            <MessageText text={failure} />
          </p>
        ) : null}
        {runActions ? <div className="-ml-2.5 flex flex-wrap gap-1 empty:hidden">{runActions}</div> : null}
        {verdicts}
      </div>
      <footer className="grid gap-1 border-t p-2">
        <CardAction action={next} list={list} prominent {...handlers} />
        <div className="flex flex-wrap gap-1">
          {others.map((action) => (
            <CardAction key={action} action={action} list={list} {...handlers} />
          ))}
        </div>
      </footer>
    </article>
  );
}

function Figures({ list }: { list: LeadList }) {
  const started = hasStarted(list);
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 tabular-nums">
        <p>
          <span className="font-semibold text-lg">{started ? formatCount(list.leadCount) : 'No'}</span>{' '}
          <span className="text-secondary text-sm">{list.leadCount === 1 ? 'lead' : 'leads'}</span>
        </p>
        {started ? <p className="text-secondary text-sm">{list.completeness}% complete</p> : null}
      </div>
      {started ? <Progress value={list.completeness} label={`Completeness of ${list.name}`} /> : null}
    </div>
  );
}

function CardAction({
  action,
  list,
  prominent = false,
  onEnrich,
  onCheckCompliance,
  onRetry,
  onExport,
}: ListCardHandlers & { action: ListAction; list: LeadList; prominent?: boolean }) {
  const looks = { variant: prominent ? 'secondary' : 'ghost', size: 'sm' } as const;
  const label = ACTION_LABEL[action];
  const name = `${label} ${list.name}`;
  switch (action) {
    case 'view':
      return (
        <Button {...looks} asChild>
          <Link to={`/lists/${list.id}`} aria-label={name}>
            {label}
          </Link>
        </Button>
      );
    case 'processing':
      return (
        <Button {...looks} pending disabled>
          {label}
        </Button>
      );
    case 'retry':
    case 'enrich':
    case 'compliance':
    case 'export': {
      const run = { retry: onRetry, enrich: onEnrich, compliance: onCheckCompliance, export: onExport }[action];
      const nothingToDo = list.leadCount === 0 && action !== 'retry';
      return (
        <Button
          {...looks}
          aria-label={name}
          onClick={() => run(list)}
          disabled={nothingToDo}
          title={nothingToDo ? 'This list has no leads' : undefined}
        >
          {label}
        </Button>
      );
    }
  }
}

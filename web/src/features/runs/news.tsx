import type { RunKind } from '#contract/work/runs.ts';
import { type ToastAction, toast } from '#web/ui/feedback/toast.ts';
import { inOneTab } from './in-one-tab.ts';

/** News of work on a list. */
export type News = {
  /** The run that it is about; undefined for work that left none. */
  run: string | undefined;
  list: { id: string; name: string };
  kind: RunKind;
  tone: 'success' | 'info' | 'error';
  title: string;
  text?: string | undefined;
  /** What mends a failure. */
  remedy?: ToastAction | undefined;
  /** Leads to the list; offered where the list is not to be seen. */
  onView: () => void;
};

type About = Pick<News, 'kind'> & { listId: string };
/** What tabs say to each other: the end of a run has been told; work has begun, so that older news of it is over. */
type Said = { told: string } | { begun: About };

const told = new Set<string>();
/** The toasts of each kind of work on each list. */
const shown = new Map<string, Set<string>>();
let place = '';
/** In front of the title while news is unseen. */
const BADGE = /^\(\d+\) /;
let unseen = 0;
let tabs: BroadcastChannel | undefined;

const keyOf = ({ listId, kind }: About): string => `${listId} ${kind}`;

/** Says where the user is now: a path of this app. */
export function setPlace(path: string): void {
  place = path;
}

/**
 * Tells the end of a run once, in one tab of this browser, however many ways it is heard of. News of no run is always told, in place of
 * other such news of the same work.
 */
export function tellNews(news: News): void {
  const { run } = news;
  if (run === undefined) {
    // An answer that does not name its run is about the one that has been told of since the work began.
    if (!hasToldRun(news)) show(news);
    return;
  }
  if (told.has(run)) return;
  void inOneTab(`run ${run}`, () => {
    if (told.has(run)) return;
    told.add(run);
    tabs?.postMessage({ told: run } satisfies Said);
    show(news);
  });
}

/** Takes away what is still shown of this kind of work on this list, in every tab, because it begins again. */
export function beginNews(about: About): void {
  tabs?.postMessage({ begun: about } satisfies Said);
  takeAway(about);
}

/** Listens to the other tabs until it is stopped, which forgets what one person was told before the next signs in. */
export function shareNews(): () => void {
  const opened = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('fairlead-news');
  opened?.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if ('told' in data) told.add(data.told);
    else takeAway(data.begun);
  });
  tabs = opened;
  return () => {
    opened?.close();
    if (tabs === opened) tabs = undefined;
    told.clear();
    shown.clear();
  };
}

function takeAway(about: About): void {
  for (const id of shown.get(keyOf(about)) ?? []) toast.dismiss(id);
  shown.delete(keyOf(about));
}

const idOf = (run: string | undefined, about: About): string =>
  run === undefined ? `refused ${keyOf(about)}` : `run ${run}`;

function hasToldRun({ list, kind }: News): boolean {
  const about = { listId: list.id, kind };
  return [...(shown.get(keyOf(about)) ?? [])].some((id) => id !== idOf(undefined, about));
}

function show({ run, list, kind, tone, title, text, remedy, onView }: News): void {
  const about = { listId: list.id, kind };
  const [key, id] = [keyOf(about), idOf(run, about)];
  shown.set(key, (shown.get(key) ?? new Set()).add(id));
  const elsewhere = place !== `/lists/${list.id}`;
  const view = elsewhere ? { label: 'View list', onClick: onView } : undefined;
  toast[tone](title, elsewhere ? <Named name={list.name} text={text} /> : text, remedy ?? view, {
    id,
    second: remedy && view,
  });
  badgeTitle();
}

/** Counts one more piece of news in the title of a hidden tab, until the tab is looked at. */
function badgeTitle(): void {
  if (!document.hidden) return;
  if (unseen === 0) document.addEventListener('visibilitychange', clearTitle, { once: true });
  unseen += 1;
  document.title = `(${unseen}) ${document.title.replace(BADGE, '')}`;
}

function clearTitle(): void {
  unseen = 0;
  document.title = document.title.replace(BADGE, '');
}

function Named({ name, text }: { name: string; text: string | undefined }) {
  return (
    <>
      <bdi className="line-clamp-2 break-words text-foreground">{name}</bdi>
      {text ? <p>{text}</p> : null}
    </>
  );
}

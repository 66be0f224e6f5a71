import { CallerGone } from '#db/cancel/while-asked.ts';

/** What one person may have at a time, in one process. */
export type TurnLimits = {
  /** Requests that are worked on; the others wait for their turn. */
  atWork: number;
  /** Requests that are worked on, wait, or whose answer has not been read yet. */
  open: number;
  /** How long one may wait for its turn, in ms. */
  patienceMs: number;
  /** A request at work for longer, in ms, is heavy from then on: its person has one at work at a time for a while. Absent: none is. */
  heavyMs?: number;
};

/** What ends a turn. */
type Turn = {
  (): void;
  /** Waits for something scarce within a turn, such as a connection. What others hold up makes no one heavy. */
  waiting: Waiting;
};
export type Waiting = <T>(wait: () => Promise<T>) => Promise<T>;

/** Shares a process out among people. `who`: any name for one of them. Both throw TooManyAtOnce. */
export type Turns = {
  /** Counts a request as open until the returned function is called. */
  enter(who: string): () => void;
  /**
   * Waits for a turn, and returns it. `patienceMs`: instead of that of all; infinite for what has begun and must not break off.
   * @throws CallerGone when `signal` aborts before it begins.
   */
  take(who: string, signal?: AbortSignal, patienceMs?: number): Promise<Turn>;
  /** Whether someone's last requests were heavy, so that other people go first. */
  isHeavy(who: string): boolean;
};

/** Someone asks for more at a time than they may. */
export class TooManyAtOnce extends Error {
  override name = 'TooManyAtOnce';
  readonly retryAfterSeconds = 2;

  constructor() {
    super('You have too many requests open at once. Wait for some of them to end, then try again.');
  }
}

/** How long someone has one request at work at a time after a heavy one. */
const HEAVY_FOR_MS = 30_000;

type Person = { open: number; atWork: number; waiting: Set<() => void> };

export function createTurns({ atWork, open, patienceMs, heavyMs }: TurnLimits): Turns {
  const people = new Map<string, Person>();
  const heavy = new Map<string, NodeJS.Timeout>();
  const noteHeavy = (who: string) => {
    clearTimeout(heavy.get(who));
    heavy.set(who, setTimeout(() => heavy.delete(who), HEAVY_FOR_MS).unref());
  };
  const mostOf = (who: string) => (heavy.has(who) ? 1 : atWork);
  const personOf = (who: string): Person => {
    const known = people.get(who) ?? { open: 0, atWork: 0, waiting: new Set() };
    people.set(who, known);
    return known;
  };
  const forget = (who: string, person: Person) => {
    if (person.open === 0 && person.atWork === 0 && person.waiting.size === 0) people.delete(who);
  };
  const beginNext = (who: string, person: Person) => {
    for (const next of [...person.waiting].slice(0, Math.max(0, mostOf(who) - person.atWork))) {
      person.atWork += 1;
      next();
    }
  };
  /** Ends a turn; the next begin when others had theirs. */
  const end = (who: string, person: Person) => {
    person.atWork -= 1;
    // Not at once: others' requests are read between two of one person's.
    if (person.waiting.size > 0) setImmediate(() => beginNext(who, person));
    forget(who, person);
  };
  const wait = (who: string, person: Person, signal: AbortSignal | undefined, mostMs: number) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        person.waiting.delete(begin);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const giveUp = (reason: unknown) => {
        leave();
        forget(who, person);
        reject(reason);
      };
      const onAbort = () => giveUp(new CallerGone());
      // A timer of an infinite time would go off at once.
      const timer = Number.isFinite(mostMs) ? setTimeout(() => giveUp(new TooManyAtOnce()), mostMs) : undefined;
      signal?.addEventListener('abort', onAbort, { once: true });
      person.waiting.add(begin);
    });

  return {
    enter(who) {
      const person = personOf(who);
      if (person.open >= open) throw new TooManyAtOnce();
      person.open += 1;
      return once(() => {
        person.open -= 1;
        forget(who, person);
      });
    },
    async take(who, signal, mostMs = patienceMs) {
      if (signal?.aborted) throw new CallerGone();
      const person = personOf(who);
      if (person.waiting.size === 0 && person.atWork < mostOf(who)) person.atWork += 1;
      else await wait(who, person, signal, mostMs);
      // Noted while it is at work: what its person asks for next may come before its end.
      const work = heavyMs === undefined ? undefined : timing(heavyMs, () => noteHeavy(who));
      const finish = once(() => {
        work?.stop();
        end(who, person);
      });
      const waiting: Waiting = async (wait) => {
        work?.stop();
        try {
          return await wait();
        } finally {
          work?.goOn();
        }
      };
      return Object.assign(finish, { waiting });
    },
    isHeavy: (who) => heavy.has(who),
  };
}

/** Calls `late` once it has run for longer than `mostMs`, when that is so and when it stops. It runs at first. */
function timing(mostMs: number, late: () => void): { stop(): void; goOn(): void } {
  let spent = 0;
  let begun: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    if (begun !== undefined) return;
    begun = performance.now();
    timer = setTimeout(late, Math.max(0, mostMs - spent)).unref();
  };
  goOn();
  return {
    goOn,
    stop() {
      if (begun === undefined) return;
      clearTimeout(timer);
      spent += performance.now() - begun;
      begun = undefined;
      if (spent > mostMs) late();
    },
  };
}

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}

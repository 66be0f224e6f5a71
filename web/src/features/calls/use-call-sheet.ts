import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type CallOutcome, type LoggedCall, MOST_PASSED, type SheetLead } from '#contract/calling/calls.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { formatTimesIn } from '#web/lib/format/format.ts';
import { afterRead } from '#web/lib/query/after-read.ts';
import { useFollow } from '#web/lib/query/use-follow.ts';
import { beginCall, leaveSheet, openSheet, type Position, takeBack } from './api.ts';
import { allowsDialing, held, heldWithoutList, positionOf, type ShownLead, type ShownSheet } from './held-lead.ts';
import { refetchEvery, useAtClosing } from './keep-current.ts';
import { forgetWaiting, post, waitingCalls } from './outbox/outbox.ts';
import { sendWaiting } from './outbox/send-waiting.ts';
import { refusalWords } from './outbox/unsent-words.ts';
import { sheetSession } from './sheet-session.ts';
import { keepNote } from './use-note.ts';

/** What went wrong, or should be known, until something else is done, or until the sheet shows `call` after all. */
export type Notice = { tone: 'danger' | 'warning' | 'info'; title: string; text: string; call?: string };
/** The outcome that can be taken back. `isWaiting`: the server does not have it yet. */
export type LastLogged = { id: string; lead: SheetLead; outcome: CallOutcome; isWaiting: boolean };

const NOT_BEGUN = 'No call was begun';
const NOT_KNOWN = 'It is not known whether a call was begun';
const NOT_DIALED = 'The number was not dialed';

/** An answer that took longer says nothing of now, in ms: no call begins in the last 30 seconds of a window. */
const PROMPT_MS = 15_000;
/** Whether something that was asked at a time is answered too late. A device may sleep meanwhile. */
const isLate = (asked: number): boolean => Date.now() - asked > PROMPT_MS;

/** Whether the server has refused. Without an answer, or with that of a proxy, it may have done what was asked. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'unauthenticated' || (error.kind === 'http' && error.status < 500));

/** Of a request that failed: that it was refused, or that its end is not known, and what to do then. */
const failureOf = (error: unknown, refused: string, notKnown: string, advice: string): Notice =>
  isRefusal(error)
    ? { tone: 'danger', title: refused, text: errorMessage(error) }
    : { tone: 'warning', title: notKnown, text: `${errorMessage(error)} ${advice}` };

/** A call sheet: the lead that it shows, and all that can be done with it. `changedAt`: when its list was changed last, once known. */
export function useCallSheet(listId: string, userId: string, changedAt: string | undefined) {
  const queries = useQueryClient();
  const position = useRef<Position>({});
  /** Leads that were passed over with "Next", the last one last. They come behind the others. */
  const passed = useRef<string[]>([]);
  /** The lead that is kept, as it was shown last: it may leave the list. */
  const known = useRef<SheetLead>(undefined);
  /** Ids of calls that were asked for and have not arrived, by lead: the same again after a lost answer. */
  const ids = useRef(new Map<string, string>());
  const [notice, setNotice] = useState<Notice>();
  const [last, setLast] = useState<LastLogged>();
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);
  /** On the way to another lead: the one that is known is done with. */
  const [isMoving, setMoving] = useState(false);
  const [hasMoved, setMoved] = useState(false);
  /** The call that was begun, or perhaps, and not dialed yet. Once it is, another dial is another call. */
  const [toDial, setToDial] = useState<string>();
  const queryKey = ['call-sheet', listId];

  const ask = async (signal: AbortSignal) => {
    const behind = position.current.keep === undefined && passed.current.length > 0 ? { passed: passed.current } : {};
    return openSheet(listId, await sheetSession(), { ...position.current, ...behind }, signal);
  };
  const read = async (signal: AbortSignal): Promise<ShownSheet> => {
    const { keep } = position.current;
    try {
      const sheet = await ask(signal);
      if (sheet.state !== 'gone') return sheet;
      const stays = held(sheet, known.current?.id === keep ? known.current : undefined);
      if (stays) return stays;
      if (keep === undefined) throw new Error('A lead is gone that this sheet did not show.');
    } catch (error) {
      const stays =
        keep === undefined
          ? undefined
          : heldWithoutList(queries.getQueryData<ShownSheet>(queryKey), serverTime(Date.now()));
      if (error instanceof ApiError && error.status === 404 && stays?.state === 'lead' && stays.lead.id === keep)
        return stays;
      throw error;
    }
    position.current = {};
    return read(signal);
  };

  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<ShownSheet> => {
      await sendWaiting(userId);
      const sheet = await read(signal);
      const lead = sheet.state === 'lead' ? sheet.lead : undefined;
      position.current = lead ? positionOf(lead) : {};
      known.current = lead;
      if (lead) forgetArrived(lead);
      setMoving(false);
      return sheet;
    },
    staleTime: 0,
    gcTime: 0,
    retry: 1,
    refetchInterval: ({ state }) => refetchEvery(state.data, state.error),
    // The caller may be looking at another window.
    refetchIntervalInBackground: true,
  });
  const sheet = query.data;
  const lead = sheet?.state === 'lead' ? sheet.lead : undefined;
  /** What the server's clock shows at a moment of this one, in ms. */
  const serverTime = (now: number) => (sheet ? now + Date.parse(sheet.at) - query.dataUpdatedAt : now);
  const readAgain = () => query.refetch({ cancelRefetch: true });
  useAtClosing(lead, sheet?.at, () => void readAgain());
  useFollow(changedAt, async () => {
    // It may have begun before the change.
    await afterRead(queries, queryKey);
    await readAgain();
  });
  useEffect(
    () => () =>
      void sheetSession()
        .then((session) => leaveSheet(listId, session))
        // It lets go by itself in two minutes.
        .catch(() => undefined),
    [listId],
  );

  const show = (next: Position) => {
    position.current = next;
    setMoving(true);
    setMoved(true);
    return readAgain();
  };
  const change = (next: Partial<SheetLead>) =>
    queries.setQueryData<ShownSheet>(
      queryKey,
      (shown) => {
        if (shown?.state !== 'lead') return shown;
        const lead = { ...shown.lead, ...next };
        forgetArrived(lead);
        position.current = positionOf(lead);
        known.current = lead;
        return { ...shown, lead };
      },
      // The server's time is known from when the sheet was read.
      { updatedAt: queries.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now() },
    );
  const idOf = ({ id: leadId }: SheetLead): string => {
    const id = ids.current.get(leadId) ?? crypto.randomUUID();
    ids.current.set(leadId, id);
    return id;
  };
  /** A call that has arrived is a call of its own, even if it was withdrawn since, or was made days ago. */
  const forgetArrived = ({ id: leadId, calls }: SheetLead): void => {
    if (calls.some(({ id }) => id === ids.current.get(leadId))) ids.current.delete(leadId);
  };
  /** One thing at a time; a second press while the first is under way does nothing. */
  const once = async (work: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    setNotice(undefined);
    try {
      await work();
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };

  /** `again`: besides the call under way, whose outcome stays to be said. */
  const begin = (dial: boolean, again = false) =>
    once(async () => {
      if (!lead || (lead.open && !again) || isMoving) return;
      const isRepeat = ids.current.has(lead.id);
      const id = idOf(lead);
      const asked = Date.now();
      try {
        const answer = await beginCall({ id, leadId: lead.id, session: await sheetSession() });
        if (answer.state === 'begun') {
          const { call, mayDial } = answer;
          change({ open: call, mayDial, calls: [call, ...lead.calls.filter(({ id }) => id !== call.id)] });
          // What began before may not be allowed anymore.
          const mustAsk = isRepeat || isLate(asked);
          setToDial(dial && !mustAsk ? undefined : call.id);
          if (dial && mustAsk) await dialBegun(call.id, lead);
          else if (dial) window.location.href = `tel:${lead.number}`;
        } else {
          const [reason] = answer.callability.reasons;
          const text = [reason && formatTimesIn(reason.text), reason?.citation && `(${reason.citation})`]
            .filter(Boolean)
            .join(' ');
          setNotice({ tone: 'danger', title: NOT_BEGUN, text });
        }
      } catch (error) {
        const advice = 'Do not dial yet. Begin the call again: it counts once.';
        setNotice({ ...failureOf(error, NOT_BEGUN, NOT_KNOWN, advice), call: id });
        if (!isRefusal(error)) setToDial(id);
      }
      // A read under way may have begun before the call.
      void readAgain();
    });

  /** Whether pressing the number begins a call, or dials the one that was just begun. */
  const mayDial = (one: ShownLead): boolean =>
    !(sheet?.practice || one.hasLeft) &&
    (one.open ? one.open.id === toDial && allowsDialing(one, serverTime(Date.now())) : one.mayCall);
  /** Dials a call that was begun, if the server still allows it. */
  const dialBegun = async (call: string, { id, number }: SheetLead): Promise<void> => {
    const asked = Date.now();
    const { data, isError } = await readAgain();
    const now = data?.state === 'lead' && data.lead.id === id ? data.lead : undefined;
    const isAllowed = data && now && !now.hasLeft && now.open?.id === call && allowsDialing(now, Date.parse(data.at));
    if (isError || !isAllowed) {
      const text = isError ? 'Fairlead could not check whether you may still call.' : 'It may not be called anymore.';
      setNotice({ tone: 'danger', title: NOT_DIALED, text });
      return;
    }
    if (isLate(asked)) {
      setNotice({ tone: 'warning', title: NOT_DIALED, text: 'The answer came too late. Press the number again.' });
      return;
    }
    setToDial(undefined);
    window.location.href = `tel:${number}`;
  };
  /** The number was pressed. A call that was begun is dialed once. */
  const dial = () =>
    lead?.open
      ? once(async () => {
          if (lead.open && mayDial(lead) && !isMoving) await dialBegun(lead.open.id, lead);
        })
      : begin(true);

  /** `earlier`: the call that it is said of, where that is not the one under way. `taken`: called once it is logged, or waits for that. */
  const say = (
    outcome: CallOutcome,
    note: string,
    {
      callBackAt,
      earlier,
      taken,
    }: { callBackAt?: string | undefined; earlier: LoggedCall | undefined; taken: () => void },
  ) =>
    once(async () => {
      if (!lead || isMoving) return;
      const call = earlier ?? lead.open;
      const id = call?.id ?? idOf(lead);
      const now = new Date(serverTime(Date.now())).toISOString();
      const posted = await post(userId, {
        id,
        leadId: lead.id,
        outcome,
        ...(note.trim() ? { note: note.trim() } : {}),
        ...(callBackAt ? { callBackAt } : {}),
        ...(call ? { saidAt: now } : { madeAt: now }),
        lead: { name: lead.businessName, ...(sheet?.practice ? {} : { number: lead.number }) },
      });
      if (posted.state === 'refused') {
        setNotice({ tone: 'danger', ...refusalWords(posted) });
        return;
      }
      ids.current.delete(lead.id);
      taken();
      passed.current = passed.current.filter((one) => one !== lead.id);
      setLast({ id, lead, outcome, isWaiting: posted.state === 'kept' });
      await show(earlier ? { keep: lead.id } : { after: lead.id });
    });

  const undo = () =>
    once(async () => {
      if (!last) return;
      try {
        const { stillSuppressed } = await takeBack(last.id, 'outcome');
        if (stillSuppressed)
          setNotice({
            tone: 'warning',
            title: 'The number stays suppressed',
            text: 'Only an administrator can remove it from the suppression list.',
          });
      } catch (error) {
        // Without an answer it is not known whether the server has it.
        if (!(error instanceof ApiError && error.status === 404)) {
          const notKnown = 'It is not known whether the outcome was taken back';
          setNotice(failureOf(error, 'Not taken back', notKnown, 'Undo it again.'));
          return;
        }
      }
      const unsent = waitingCalls(userId).find(({ id }) => id === last.id);
      if (unsent) keepNote(userId, last.lead.id, unsent.note);
      forgetWaiting(userId, last.id);
      setLast(undefined);
      known.current = last.lead;
      await show({ keep: last.lead.id, call: last.id });
    });

  const notMade = () =>
    once(async () => {
      if (!lead?.open) return;
      try {
        await takeBack(lead.open.id, 'call');
        change({ open: null, calls: lead.calls.filter(({ id }) => id !== lead.open?.id) });
      } catch (error) {
        const advice = 'If the call is still shown here, withdraw it again.';
        setNotice(failureOf(error, 'Not withdrawn', 'It is not known whether the call was withdrawn', advice));
      }
      void readAgain();
    });

  const next = () =>
    once(async () => {
      if (!lead || lead.open || isMoving) return;
      passed.current = [...passed.current.filter((one) => one !== lead.id), lead.id].slice(-MOST_PASSED);
      await show({ after: lead.id });
    });

  const waiting = waitingCalls(userId).length;
  return {
    query,
    sheet,
    lead,
    serverTime,
    isBusy,
    isMoving,
    hasMoved,
    notice: notice?.call !== undefined && notice.call === lead?.open?.id ? undefined : notice,
    last,
    waiting,
    begin,
    mayDial,
    dial,
    say,
    undo,
    notMade,
    next,
  };
}

export type Sheet = ReturnType<typeof useCallSheet>;

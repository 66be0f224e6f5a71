import { useState } from 'react';
import { useSession } from '#web/lib/session/session.tsx';
import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';
import { type ColumnChoice, isDefaultChoice, readChoice, writeChoice } from './column-choice.ts';

/** Beginning of the key that a person's choice of columns has in this browser. */
const STORAGE_KEY = 'lead-columns';

const keyOf = (userId: string) => `${STORAGE_KEY}:${userId}`;

/** Which columns the signed-in person wants to see, remembered for them in this browser. */
export function useColumnChoice(): [ColumnChoice, (choice: ColumnChoice) => void] {
  const { user } = useSession();
  const [known, setKnown] = useState<{ userId: string | undefined; choice: ColumnChoice }>(() => readFor(user?.id));
  // Once a session has ended, the page stays as it was.
  const current = user && user.id !== known.userId ? readFor(user.id) : known;
  const change = (choice: ColumnChoice) => {
    setKnown({ userId: current.userId, choice });
    if (current.userId === undefined) return;
    if (isDefaultChoice(choice)) removeStored(keyOf(current.userId));
    else writeStored(keyOf(current.userId), writeChoice(choice));
  };
  return [current.choice, change];
}

const readFor = (userId: string | undefined) => ({
  userId,
  choice: readChoice(userId === undefined ? undefined : readStored(keyOf(userId))),
});

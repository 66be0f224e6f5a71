import { startTransition, useEffect, useState } from 'react';
import { whenQuiet } from './when-quiet.ts';

/** Whether the first page stands, as whenQuiet() has it. */
export function useStanding(): boolean {
  const [stands, setStands] = useState(false);
  useEffect(() => {
    let active = true;
    void whenQuiet().then(() => active && startTransition(() => setStands(true)));
    return () => {
      active = false;
    };
  }, []);
  return stands;
}

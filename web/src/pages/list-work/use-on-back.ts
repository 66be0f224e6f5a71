import { useEffect, useRef } from 'react';
import { NavigationType, useLocation } from 'react-router';
import { useWay } from '#web/shell/pages.tsx';

/** Calls `onBack` when Back or Forward of the browser leads to another entry of the page that is open already. */
export function useOnBack(onBack: () => void): void {
  const { key } = useLocation();
  const way = useWay();
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    if (way === NavigationType.Pop) onBack();
  });
}

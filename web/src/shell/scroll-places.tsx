import { useLayoutEffect, useRef } from 'react';
import { type Location, useLocation } from 'react-router';
import { readOfSession, writeOfSession } from '#web/lib/storage/storage.ts';

const STORAGE_KEY = 'fairlead-scroll-places';

/** Back and Forward lead to a known key; the first entry of every tab has the same one. */
const nameOf = ({ key, pathname }: Location) => key + pathname;

/** Starts a new address at its top or its `#part`, unless its state has STAY, and one that was left where it was left. */
export function ScrollPlaces() {
  const location = useLocation();
  const shown = useRef(location);
  const places = useRef<Record<string, number>>({});

  useLayoutEffect(() => {
    places.current = JSON.parse(readOfSession(STORAGE_KEY) ?? '{}');
    const keep = () => {
      places.current[nameOf(shown.current)] = window.scrollY;
    };
    // A page that is loaded again grows for a while: the browser knows best where it stood.
    const leave = () => {
      writeOfSession(STORAGE_KEY, JSON.stringify(places.current));
      window.history.scrollRestoration = 'auto';
    };
    const comeBack = () => {
      window.history.scrollRestoration = 'manual';
    };
    comeBack();
    window.addEventListener('scroll', keep, { passive: true });
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('scroll', keep);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
    };
  }, []);

  useLayoutEffect(() => {
    shown.current = location;
    const known = places.current[nameOf(location)];
    const part = document.getElementById(location.hash.slice(1));
    if (known !== undefined) window.scrollTo(0, known);
    else if (part) part.scrollIntoView();
    else if (!location.state?.stays) window.scrollTo(0, 0);
  }, [location]);
  return null;
}

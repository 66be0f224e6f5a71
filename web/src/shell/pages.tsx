import {
  type ComponentType,
  createContext,
  startTransition,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import {
  type Location,
  matchRoutes,
  NavigationType,
  type Params,
  type RouteObject,
  useLocation,
  useNavigationType,
  useRoutes,
} from 'react-router';

export type FetchPage = (params: Params) => Promise<ComponentType>;

/** Its `Component` is what stands there when `fetch` fails; the next visit tries again. */
export type PageRoute = Pick<RouteObject, 'path' | 'element' | 'Component'> & {
  index?: false;
  fetch?: FetchPage;
  children?: PageRoute[];
};

async function fetchPages(routes: PageRoute[], location: Location): Promise<void> {
  const fetchPage = async (route: PageRoute, params: Params) => {
    if (!route.fetch) return;
    route.Component = await route.fetch(params);
    delete route.fetch;
  };
  await Promise.allSettled((matchRoutes(routes, location) ?? []).map(({ route, params }) => fetchPage(route, params)));
}

const isMissing = (routes: PageRoute[], location: Location): boolean =>
  (matchRoutes(routes, location) ?? []).some(({ route }) => route.fetch !== undefined);

type Shown = { location: Location; way: NavigationType };

const WayContext = createContext<NavigationType>(NavigationType.Pop);

/** How the address that is shown was reached. */
export const useWay = (): NavigationType => useContext(WayContext);

function At({ routes, location, way }: Shown & { routes: PageRoute[] }) {
  return <WayContext value={way}>{useRoutes(routes, location)}</WayContext>;
}

/** What stands at the address. Until its files are here, the page before it stays, with its address for all that it holds. */
export function Pages({ routes }: { routes: PageRoute[] }) {
  const location = useLocation();
  const way = useNavigationType();
  const [shown, setShown] = useState<Shown>();
  const mustFetch = isMissing(routes, location);
  // At once: what is typed into a field that the address holds would else be overtaken.
  if (!mustFetch && shown?.location !== location) setShown({ location, way });
  useLayoutEffect(() => {
    if (!mustFetch) return;
    let isWanted = true;
    void fetchPages(routes, location).then(() => {
      if (isWanted) startTransition(() => setShown({ location, way }));
    });
    return () => {
      isWanted = false;
    };
  }, [routes, location, way, mustFetch]);
  return useMemo(() => shown && <At routes={routes} {...shown} />, [routes, shown]);
}

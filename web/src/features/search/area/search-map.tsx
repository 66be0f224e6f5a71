import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Area } from '#contract/work/search/areas.ts';
import { cellText, leafLayers, TONE_WORDS } from '#web/lib/areas/leaf-layers.ts';
import { outlineQuery, polygonsOf } from '#web/lib/areas/outline-query.ts';
import { AreaMap } from '#web/ui/map/area-map.tsx';
import type { MapEdit } from '#web/ui/map/map-view.tsx';
import { leavesQuery } from './leaves-query.ts';
import type { AreaCount } from './use-area-count.ts';

const NOTHING = { state: 'stopped', leaves: 0 } as const;

/** The area of a search on a map, with its parts as far as they are counted. */
export function SearchMap({
  area,
  name,
  count: { search, query },
  edit,
  beside,
}: {
  area: Area | undefined;
  /** What the area is called. */
  name: string;
  count: AreaCount;
  edit: MapEdit | undefined;
  /** Whether it has a column of its own. */
  beside: boolean;
}) {
  const drawn = area?.kind === 'polygon' ? area.geometry : undefined;
  const named = area && area.kind !== 'circle' ? { area } : undefined;
  const circle = search?.area.kind === 'circle' ? search : undefined;
  const outline = useQuery(
    outlineQuery(
      drawn
        ? undefined
        : (named ?? (circle && { area: circle.area, location: circle.location, radius: circle.radius })),
    ),
  );
  const leaves = useQuery(leavesQuery(search, query.data ?? NOTHING));
  const layers = useMemo(
    () => (leaves.data && query.data ? leafLayers(leaves.data.queries, leaves.data.leaves) : []),
    [leaves.data, query.data],
  );
  return (
    <AreaMap
      className={beside ? 'h-full' : 'h-72'}
      label={name ? `Map of ${name}` : 'Map of the USA'}
      area={drawn ? polygonsOf(drawn) : polygonsOf(outline.data?.outline)}
      layers={layers}
      words={TONE_WORDS}
      describe={cellText}
      edit={edit}
    />
  );
}

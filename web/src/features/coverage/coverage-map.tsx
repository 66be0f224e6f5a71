import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Coverage } from '#contract/work/search/coverage.ts';
import { cellText, leafLayers, TONE_WORDS } from '#web/lib/areas/leaf-layers.ts';
import { outlineQuery, polygonsOf } from '#web/lib/areas/outline-query.ts';
import { AreaMap } from '#web/ui/map/area-map.tsx';

/** The area of a certificate and its parts, with how many places each holds. */
export function CoverageMap({ coverage, className }: { coverage: Coverage; className: string }) {
  const { area, queries, leaves } = coverage;
  const { spec, meters } = area;
  // Where a place lies may be known for 30 days only. After that there are the parts.
  const isKnown = spec.kind !== 'circle' || (spec.center !== undefined && meters !== undefined);
  const outline = useQuery(outlineQuery(isKnown ? { area: spec, ...(meters ? { radius: meters } : {}) } : undefined));
  const layers = useMemo(() => {
    const counted = leaves.map((leaf) => ({ ...leaf, query: queries.indexOf(leaf.query), places: leaf.ids.length }));
    return leafLayers(queries, counted);
  }, [queries, leaves]);
  return (
    <AreaMap
      className={className}
      label={`Map of ${area.label}`}
      area={polygonsOf(outline.data?.outline)}
      layers={layers}
      words={TONE_WORDS}
      describe={cellText}
    />
  );
}

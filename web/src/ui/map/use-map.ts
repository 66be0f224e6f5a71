import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Cell } from './cell-layer.ts';
import { type MapEvents, type MapHandle, type MapMode, openMap } from './open-map.ts';
import type { Point, Polygons } from './polygons.ts';

type Shown = {
  area: Polygons;
  /** Whether the area was drawn here, and so lies where people look already. */
  stays: () => boolean;
  point: Point | undefined;
  cells: readonly Cell[];
  mode: MapMode;
};

/** Keeps a map in an element, and what it shows in step with what it is given. */
export function useMap(
  target: RefObject<HTMLElement | null>,
  { area, stays, point, cells, mode }: Shown,
  events: MapEvents,
): MapHandle | undefined {
  const [map, setMap] = useState<MapHandle>();
  const latest = useRef({ ...events, stays });
  useEffect(() => {
    latest.current = { ...events, stays };
  });
  useEffect(() => {
    if (!target.current) return;
    const opened = openMap(target.current, {
      onEdited: (polygons) => latest.current.onEdited(polygons),
      onCorners: (count) => latest.current.onCorners(count),
      onRing: (ring) => latest.current.onRing(ring),
      onPoint: (at) => latest.current.onPoint(at),
      onCell: (cell) => latest.current.onCell(cell),
    });
    setMap(opened);
    return () => opened.close();
  }, [target]);

  const hasCells = cells.length > 0;
  useEffect(() => map?.showCells(cells), [map, cells]);
  useEffect(() => map?.showPoint(point), [map, point]);
  useEffect(() => map?.setMode(mode), [map, mode]);
  useEffect(() => {
    map?.showArea(area);
    if (!latest.current.stays()) map?.fit();
  }, [map, area]);
  useEffect(() => {
    if (!hasCells) return;
    // A legend comes with the first cells and leaves less room.
    if (area.length === 0) map?.fit();
    else if (!latest.current.stays()) map?.fitIfCut();
  }, [map, hasCells, area]);
  return map;
}

import { countyOf, stateOf } from '#area/named/atlas.ts';
import { circle } from '#area/named/circle.ts';
import { codeOf, fipsOf } from '#area/named/state-codes.ts';
import { zipsOf } from '#area/named/zip-codes.ts';
import type { Rectangle } from '#area/rectangle.ts';
import { holderOf } from '#area/shape/holder.ts';
import type { ReadArea } from '#area/shape/read-geojson.ts';
import { framesOf, type Shape } from '#area/shape/shape.ts';
import type { Area } from '#contract/work/search/areas.ts';
import { metersBetween } from '#providers/geo.ts';
import type { Coordinates } from '#providers/provider.ts';
import { AppError } from '#server/lib/app-error.ts';
import { readShape } from './read-shape.ts';

/** A circle with its radius in meters. `located`: its center came from Google, and may be kept for 30 days. */
type Circle = { kind: 'circle'; center: Coordinates; meters: number; located?: true | undefined };
/** An area with all that is needed to search it. */
export type AreaSpec = Exclude<Area, { kind: 'circle' | 'counted' }> | Circle;

export type ResolvedArea = {
  label: string;
  shape: Shape;
  frames: Rectangle[];
  holds(point: Coordinates): boolean;
};

/**
 * Reads an area. `place`: the name of a circle's center.
 * @throws VALIDATION_FAILED, which says what to correct.
 */
export function resolveArea(spec: AreaSpec, place?: string): ResolvedArea {
  const { label, shape } = shapeOf(spec, place);
  const within =
    spec.kind === 'circle'
      ? (point: Coordinates) => metersBetween(spec.center, point) <= spec.meters
      : (point: Coordinates) => holderOf(shape)(point);
  return { label, shape, frames: framesOf(shape), holds: within };
}

function shapeOf(spec: AreaSpec, place: string | undefined): { label: string; shape: Shape } {
  switch (spec.kind) {
    case 'circle':
      return { label: place ?? 'A circle', shape: valid(circle(spec.center, spec.meters)) };
    case 'county': {
      const county = countyOf(spec.fips);
      if (!county) throw invalid(`No county has the FIPS code ${spec.fips}. Check its five digits.`);
      return { label: `${county.name}, ${codeOf(spec.fips) ?? ''}`, shape: county.shape };
    }
    case 'state': {
      const fips = fipsOf(spec.code);
      const state = fips === undefined ? undefined : stateOf(fips);
      if (!state) throw invalid(`“${spec.code}” is not a state. Use two letters, such as IL.`);
      return { label: state.name, shape: state.shape };
    }
    case 'zips': {
      const { shape, unknown } = zipsOf(spec.codes);
      if (unknown.length > 0)
        throw invalid(`These ZIP codes do not exist: ${unknown.join(', ')}. Correct or remove them.`);
      return { label: spec.codes.length === 1 ? `ZIP code ${spec.codes[0]}` : `${spec.codes.length} ZIP codes`, shape };
    }
    case 'polygon':
      return { label: 'A drawn area', shape: valid(readShape(spec.geometry)) };
  }
}

function valid(read: ReadArea): Shape {
  if (read.kind === 'invalid') throw invalid(read.message);
  return read.shape;
}

const invalid = (message: string) => new AppError('VALIDATION_FAILED', message);

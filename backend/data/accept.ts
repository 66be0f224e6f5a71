import { DataError } from './errors/data-error.ts';

/** What an answer looks like: all rows or the only one, as JSON (perhaps without its nulls), or CSV with a line of names. */
export type Shape = 'array' | 'object' | 'stripped array' | 'stripped object' | 'csv';

const SHAPES: Readonly<Record<string, Shape>> = {
  '*/*': 'array',
  'application/*': 'array',
  'application/json': 'array',
  'application/vnd.pgrst.array+json': 'array',
  'application/vnd.pgrst.array': 'array',
  'application/vnd.pgrst.object+json': 'object',
  'application/vnd.pgrst.object': 'object',
  'text/csv': 'csv',
};

export const CONTENT_TYPE: Readonly<Record<Shape, string>> = {
  array: 'application/json; charset=utf-8',
  object: 'application/vnd.pgrst.object+json; charset=utf-8',
  'stripped array': 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
  'stripped object': 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Whether exactly one row was asked for. */
export const isSingle = (shape: Shape): boolean => shape === 'object' || shape === 'stripped object';

/**
 * Chooses the first media type of `Accept` that can be answered.
 * @throws DataError PGRST107 when there is none
 */
export function chooseShape(accept: string | undefined): Shape {
  if (accept === undefined || accept.trim() === '') return 'array';
  for (const range of accept.split(',')) {
    const [name = '', ...given] = range.toLowerCase().split(';');
    const type = name.trim();
    const shape = SHAPES[type];
    // A weight or a charset changes nothing.
    const parameters = given.map((one) => one.trim()).filter((one) => !/^(?:q|charset)=/u.test(one));
    if (!shape) continue;
    if (parameters.length === 0) return shape;
    const strips = parameters.length === 1 && parameters[0] === 'nulls=stripped' && type.includes('vnd.pgrst');
    if (strips && (shape === 'array' || shape === 'object')) return `stripped ${shape}`;
  }
  throw new DataError(406, 'PGRST107', `None of these media types are available: ${accept.slice(0, 200)}`);
}

import { DataError } from './data-error.ts';

/** The two shapes an answer may have: all rows, or the only one. */
export type Shape = 'array' | 'object';

const SHAPES: Readonly<Record<string, Shape>> = {
  '*/*': 'array',
  'application/*': 'array',
  'application/json': 'array',
  'application/vnd.pgrst.array+json': 'array',
  'application/vnd.pgrst.object+json': 'object',
  'application/vnd.pgrst.object': 'object',
};

export const CONTENT_TYPE: Readonly<Record<Shape, string>> = {
  array: 'application/json; charset=utf-8',
  object: 'application/vnd.pgrst.object+json; charset=utf-8',
};

/** Chooses the first media type of `Accept` that can be answered. @throws DataError PGRST107 when there is none */
export function chooseShape(accept: string | undefined): Shape {
  if (accept === undefined || accept.trim() === '') return 'array';
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.toLowerCase().split(';');
    const shape = SHAPES[type.trim()];
    // A weight or a charset changes nothing; PostgREST's own parameters (nulls=stripped) would change the answer.
    if (shape && parameters.every((parameter) => /^\s*(?:q|charset)=/u.test(parameter))) return shape;
  }
  throw new DataError(406, 'PGRST107', `None of these media types are available: ${accept.slice(0, 200)}`);
}

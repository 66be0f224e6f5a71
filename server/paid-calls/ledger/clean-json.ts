/** A copy of a JSON value without what PostgreSQL refuses in text: NUL characters and halves of surrogate pairs. */
export function cleanJson<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'string' ? part.replaceAll('\u0000', '').toWellFormed() : part,
    ),
  ) as T;
}

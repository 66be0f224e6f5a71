/** Whether PostgreSQL can keep every text in a value: it knows neither NUL nor half a surrogate pair. Recurses as deep as the value is. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

/** A copy of a JSON value without what PostgreSQL refuses in text: NUL characters and halves of surrogate pairs. */
export function cleanJson<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'string' ? part.replaceAll('\u0000', '').toWellFormed() : part,
    ),
  ) as T;
}

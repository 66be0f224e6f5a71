/**
 * The address of a call: names in the path (`/api/runs/:id`) take their values from `input`, the rest of what is set there follows
 * as query.
 */
export function addressOf(path: string, input: unknown): string {
  const query = new URLSearchParams();
  let address = path;
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === undefined || value === null) continue;
    const text = String(value).toWellFormed();
    if (path.split('/').includes(`:${name}`)) address = address.replace(`:${name}`, () => encodeURIComponent(text));
    else query.append(name, text);
  }
  return query.size > 0 ? `${address}?${query}` : address;
}

/**
 * The status for a visit that is none: a mail scanner's HEAD, or a browser that loads ahead of the click. What works once is kept for
 * the click. Undefined for a real one.
 */
export function earlyVisit({ method, headers }: Request): 200 | 503 | undefined {
  if (method === 'HEAD') return 200;
  const purpose = headers.get('Sec-Purpose') ?? headers.get('Purpose') ?? headers.get('X-Moz') ?? '';
  return /prefetch|prerender|preview/i.test(purpose) ? 503 : undefined;
}

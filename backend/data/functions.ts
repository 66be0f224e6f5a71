import { parseBody, requireJson } from './body.ts';
import { DataError, unknownFunction } from './errors/data-error.ts';
import { requirePublicSchema } from './plan.ts';

const METHODS = ['GET', 'HEAD', 'POST'];

/** No function of the database may be called, so the answer to `rpc` is always the one to a function no one knows. */
export async function refuseFunction(request: Request, name: string): Promise<DataError> {
  requirePublicSchema(request);
  if (!METHODS.includes(request.method)) {
    return new DataError(405, 'PGRST101', 'Only GET, HEAD, POST methods are allowed for RPC', {
      headers: { Allow: METHODS.join(', ') },
    });
  }
  if (request.method !== 'POST') {
    return unknownFunction(name, [...new URL(request.url).searchParams.keys()], false);
  }
  requireJson(request.headers.get('Content-Type') ?? undefined);
  const text = await request.text();
  const [first = {}] = text === '' ? [] : parseBody(text).rows;
  return unknownFunction(name, Object.keys(first), true);
}

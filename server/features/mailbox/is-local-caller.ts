import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Any of these says that someone else stands behind the socket. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/u;
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/u;
/** A page of another site that points its own name at 127.0.0.1 still sends that name. */
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/iu;

/** Whether a request was made on this machine, to this machine, by no one in between. */
export function isLocalCaller(c: Context): boolean {
  if (!LOOPBACK.test(socketAddress(c))) return false;
  if (!LOOPBACK_HOST.test(c.req.header('host') ?? '')) return false;
  return ![...c.req.raw.headers.keys()].some((name) => FORWARDED.test(name.toLowerCase()));
}

/** A request that did not come through a socket comes from nowhere. */
function socketAddress(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? '';
  } catch {
    return '';
  }
}

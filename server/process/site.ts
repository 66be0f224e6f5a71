const LOOPBACK_HOSTS = ['localhost', '127.0.0.1'];

/** Where people find this site, and every spelling of that address that belongs to it. */
export type Site = {
  url: string;
  /** The site's origin, and both loopback spellings of it when it is local. */
  origins: readonly string[];
  /** The backend's address for a page that was opened at `origin`: that same origin, if it is one of ours. */
  backendUrlFor(origin: string): string;
};

/** `url`: the site's address without a slash at the end. */
export function siteAt(url: string): Site {
  const { origin, protocol, hostname, port } = new URL(url);
  const spelled = (host: string) => new URL(`${protocol}//${host}:${port}`).origin;
  const origins = LOOPBACK_HOSTS.includes(hostname) ? [...new Set([origin, ...LOOPBACK_HOSTS.map(spelled)])] : [origin];
  return { url, origins, backendUrlFor: (opened) => (origins.includes(opened) ? opened : url) };
}

/** Where the process that HOST and PORT are meant for is asked from the same machine: one that listens everywhere listens on loopback, too. */
export function ownAddress({ HOST = '127.0.0.1', PORT = '3000' }) {
  if (HOST === '0.0.0.0') return `http://127.0.0.1:${PORT}`;
  if (HOST === '::') return `http://[::1]:${PORT}`;
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

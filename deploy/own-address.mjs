/** The address by which a process with this HOST and PORT is asked from its own machine: one that listens everywhere is on loopback, too. */
export function ownAddress({ HOST = '127.0.0.1', PORT = '3000' }) {
  if (HOST === '0.0.0.0') return `http://127.0.0.1:${PORT}`;
  if (HOST === '::') return `http://[::1]:${PORT}`;
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

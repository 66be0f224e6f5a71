// Ends once the process that systemd has just started is ready, and fails if that has ended instead.
const { MAINPID, PORT = '3000', HOST = '127.0.0.1' } = process.env;
// A process that listens everywhere listens here, too.
const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;

const lives = () => {
  try {
    return process.kill(Number(MAINPID), 0);
  } catch {
    return false;
  }
};
const isReady = () =>
  fetch(`http://${host}:${PORT}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

while (!(await isReady())) {
  if (!lives()) process.exit(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
}

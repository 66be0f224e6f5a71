// Ends once the process that systemd has just started is ready, and fails if that has ended instead.
const { MAINPID, PORT } = process.env;

const lives = () => {
  try {
    return process.kill(Number(MAINPID), 0);
  } catch {
    return false;
  }
};
const isReady = () =>
  fetch(`http://127.0.0.1:${PORT}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

while (!(await isReady())) {
  if (!lives()) process.exit(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
}

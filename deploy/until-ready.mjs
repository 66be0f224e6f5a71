// Ends once the process that systemd has just started is ready, and fails if that has ended instead.
import { ownAddress } from './own-address.mjs';

const lives = () => {
  try {
    return process.kill(Number(process.env.MAINPID), 0);
  } catch {
    return false;
  }
};
const isReady = () =>
  fetch(`${ownAddress(process.env)}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

while (!(await isReady())) {
  if (!lives()) process.exit(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
}

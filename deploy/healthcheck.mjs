// Ends with 0 when the process of this container answers.
import { ownAddress } from './own-address.mjs';

process.exitCode = await fetch(`${ownAddress(process.env)}/healthz`).then(
  (answer) => (answer.ok ? 0 : 1),
  () => 1,
);

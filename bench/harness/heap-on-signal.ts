// Loaded into the server by --import: on SIGUSR2 it collects garbage and prints what is left of the heap, in bytes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  for (let times = 0; times < 3; times += 1) collect();
  console.log(`heap used: ${process.memoryUsage().heapUsed}`);
});

import { existsSync, realpathSync } from 'node:fs';

/** Whether two paths lead to one existing file. */
export const sameFile = (a, b) => existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);

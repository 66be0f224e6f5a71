import { afterAll } from 'vitest';
import { stopStarted } from './after-file.ts';

afterAll(stopStarted);

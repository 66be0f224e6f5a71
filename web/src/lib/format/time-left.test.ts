import { expect, test } from 'vitest';
import { timeLeftText } from './time-left.ts';

test('says about how long something takes still', () => {
  expect([null, 20, 60, 125, 7200].map(timeLeftText)).toEqual([
    undefined,
    'less than a minute left',
    'about 1 minute left',
    'about 2 minutes left',
    'about 2 hours left',
  ]);
});

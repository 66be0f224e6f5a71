import { Search } from 'lucide-react';
import { expect, test } from 'vitest';
import { fitting, fittingGroups } from './commands.ts';

const text = (name: string) => name;

test.each([
  ['', ['plumbers in Austin', 'Austin dentists', 'bakeries']],
  ['austin', ['Austin dentists', 'plumbers in Austin']],
  [' IN  plumb', ['plumbers in Austin']],
  ['zoo', []],
])('“%s” among names', (search, expected) => {
  expect(fitting(['plumbers in Austin', 'Austin dentists', 'bakeries'], search, text)).toEqual(expected);
});

test('a command is found by other words and by its group; empty groups go', () => {
  const command = { id: 'logout', label: 'Logout', icon: Search, keywords: 'sign out', run: () => {} };
  const groups = [
    { title: 'Admin', commands: [{ ...command, id: 'users', label: 'User Management', keywords: '' }] },
    { title: 'Preferences', commands: [command] },
  ];
  const found = (search: string) =>
    fittingGroups(groups, search).flatMap(({ commands }) => commands.map((one) => one.id));
  expect(found('sign')).toEqual(['logout']);
  expect(found('admin user')).toEqual(['users']);
  expect(fittingGroups(groups, 'zoo')).toEqual([]);
});

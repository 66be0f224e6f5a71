import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { RadioChoice } from './choice.tsx';
import { RadioGroup } from './radio-group.tsx';

const form = (
  <form aria-label="Both">
    {['Leads', 'Numbers'].map((group) => (
      <RadioGroup key={group} aria-label={group} defaultValue="all">
        <RadioChoice value="all" label={`All ${group}`} />
        <RadioChoice value="some" label={`Some ${group}`} />
      </RadioGroup>
    ))}
  </form>
);

test('two groups of one form do not share a name, so each keeps its own choice', () => {
  render(form);
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')];
  const names = inputs.map(({ name }) => name);
  expect(names).toHaveLength(4);
  expect(names.every(Boolean)).toBe(true);
  expect(new Set(names).size).toBe(2);
  expect(inputs.filter(({ checked }) => checked)).toHaveLength(2);
});

test('arrow keys choose within their group', async () => {
  render(form);
  const user = userEvent.setup();
  await user.tab();
  expect(screen.getByRole('radio', { name: 'All Leads' })).toHaveFocus();
  await user.keyboard('{ArrowDown>}');
  await waitFor(() => expect(screen.getByRole('radio', { name: 'Some Leads' })).toBeChecked());
  await user.keyboard('{/ArrowDown}');
  expect(screen.getByRole('radio', { name: 'All Numbers' })).toBeChecked();
  await user.tab();
  expect(screen.getByRole('radio', { name: 'All Numbers' })).toHaveFocus();
});

import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Select } from './select.tsx';

const OPTIONS = [
  { value: '25', label: '25 miles' },
  { value: '100', label: '100 miles' },
];

test('a click chooses, even when the press that opened the list was never seen to end', async () => {
  const onValueChange = vi.fn();
  render(
    <Select
      value="25"
      onValueChange={onValueChange}
      options={OPTIONS}
      aria-label="Search radius"
      defaultOpen={false}
    />,
  );
  fireEvent.pointerDown(screen.getByRole('combobox'), { button: 0, pointerType: 'mouse' });
  const option = await screen.findByRole('option', { name: '100 miles' });
  for (const event of [fireEvent.pointerDown, fireEvent.pointerUp]) event(option, { button: 0, pointerType: 'mouse' });
  fireEvent.click(option);
  expect(onValueChange).toHaveBeenLastCalledWith('100');
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
});

test('a choice gives the focus back at once, and what is focused next keeps it', async () => {
  const onValueChange = vi.fn();
  render(
    <>
      <Select
        value="25"
        onValueChange={onValueChange}
        options={OPTIONS}
        aria-label="Search radius"
        defaultOpen={false}
      />
      <input aria-label="Title" />
    </>,
  );
  const trigger = screen.getByRole('combobox');
  trigger.focus();
  fireEvent.keyDown(trigger, { key: 'Enter' });
  const option = await screen.findByRole('option', { name: '100 miles' });
  // Else the browser makes a click of it, on what has the focus by then.
  expect(fireEvent.keyDown(option, { key: 'Enter' })).toBe(false);
  expect(onValueChange).toHaveBeenLastCalledWith('100');
  expect(document.activeElement).toBe(trigger);
  screen.getByLabelText('Title').focus();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.activeElement).toBe(screen.getByLabelText('Title'));
});

test('an option may be empty: it is shown, and chosen again', async () => {
  const onValueChange = vi.fn();
  const options = [{ value: '', label: 'All lists' }, ...OPTIONS];
  const select = (value: string) => (
    <Select value={value} onValueChange={onValueChange} options={options} aria-label="List" defaultOpen={false} />
  );
  const { rerender } = render(select(''));
  expect(screen.getByRole('combobox')).toHaveTextContent('All lists');
  rerender(select('25'));
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  fireEvent.click(await screen.findByRole('option', { name: 'All lists' }));
  expect(onValueChange).toHaveBeenLastCalledWith('');
});

test('a value that is not among the options leaves the placeholder', () => {
  const props = { onValueChange: vi.fn(), options: OPTIONS, placeholder: 'Choose', defaultOpen: false };
  render(<Select value="" aria-label="County" {...props} />);
  expect(screen.getByRole('combobox')).toHaveTextContent('Choose');
});

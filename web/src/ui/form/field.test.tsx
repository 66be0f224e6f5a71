import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

function Form({ onPress }: { onPress: () => void }) {
  const [error, setError] = useState<string>();
  return (
    <>
      <Field label="Place" error={error}>
        <Input onBlur={() => setError('A place is missing')} />
      </Field>
      <button type="button" onClick={onPress}>
        Below
      </button>
    </>
  );
}

test('an error of a field that is left by a press waits for the click, and moves nothing from under it', async () => {
  const isShown = vi.fn(() => screen.queryByText('A place is missing') !== null);
  render(<Form onPress={isShown} />);
  const [place, below] = [screen.getByLabelText('Place'), screen.getByRole('button')];
  fireEvent.pointerDown(below);
  fireEvent.blur(place);
  expect(isShown()).toBe(false);
  fireEvent.pointerUp(below);
  fireEvent.click(below);
  expect(isShown).toHaveLastReturnedWith(false);
  await screen.findByText('A place is missing');
  expect(place.getAttribute('aria-invalid')).toBe('true');
});

test('an error of a field that is left by the keyboard is there at once', () => {
  render(<Form onPress={vi.fn()} />);
  fireEvent.blur(screen.getByLabelText('Place'));
  screen.getByText('A place is missing');
});

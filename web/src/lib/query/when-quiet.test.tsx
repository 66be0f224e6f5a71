import { expect, test, vi } from 'vitest';

test('a page that still shows what is to come does not stand', async () => {
  vi.useFakeTimers();
  document.body.innerHTML = '<main><span data-skeleton></span></main>';
  // A module of its own: it remembers that a page has stood.
  vi.resetModules();
  const { whenQuiet } = await import('./when-quiet.ts');
  const stands = vi.fn();
  void whenQuiet().then(stands);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stands).not.toHaveBeenCalled();
  document.querySelector('main')?.replaceChildren('Lists');
  await vi.advanceTimersByTimeAsync(150);
  expect(stands).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(stands).toHaveBeenCalledOnce();
  document.body.innerHTML = '';
  vi.useRealTimers();
});

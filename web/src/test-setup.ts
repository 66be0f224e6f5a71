import '@testing-library/jest-dom/vitest';
import './lib/zod-setup.ts';
import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// What jsdom lacks and Radix or the virtualizer ask for.
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener() {},
  removeEventListener() {},
}));
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => {};
Element.prototype.releasePointerCapture ??= () => {};
// jsdom has no layout: the virtualizer renders no row at height 0.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 600 });
Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, value: 1000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

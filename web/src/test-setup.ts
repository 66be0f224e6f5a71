import '@testing-library/jest-dom/vitest';
import './lib/format/zod-setup.ts';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import * as react from 'react';
import { toast } from 'sonner';
import { afterAll, afterEach, vi } from 'vitest';
import { TestSocket } from './test-socket.ts';
import { loadPopups } from './ui/popups/use-popups.ts';

// Whole pages are rendered here, on machines that may be busy; a passing test does not wait for these.
configure({
  asyncUtilTimeout: 30_000,
  getElementError: notFound,
});
spareOwnerStacks();

// What jsdom lacks and Radix or the virtualizer ask for; its sockets would look for a server.
Object.assign(globalThis, {
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
  matchMedia: (query: string) => ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }),
  WebSocket: TestSocket,
});
Element.prototype.scrollIntoView ??= () => {};
window.scrollTo = () => {}; // there, but it only prints that it does nothing
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => {};
Element.prototype.releasePointerCapture ??= () => {};
// jsdom has no layout: the virtualizer renders no row at height 0.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 600 });
Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, value: 1000 });

// A toast fades in after it has been rendered, so a test that finds it at once would call it invisible.
const plainToasts = document.createElement('style');
plainToasts.textContent = '[data-sonner-toast] { opacity: 1 !important; }';
document.head.append(plainToasts);

// Pages are tested as they are once all has arrived; what comes before has tests of its own.
await loadPopups();

afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(prettyDOM());
  cleanup();
  toast.dismiss(); // else the next test's page shows them again
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => void vi.unstubAllGlobals());

/** An error without the page in it, which is printed once a test has failed, and not each time that something is not there yet. */
function notFound(message: string | null): Error {
  const error = Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
  // The first line that is not a library's is shown: the test's, and not this one.
  error.stack = error.stack?.replace(/\n.*test-setup.*/, '') ?? '';
  return error;
}

/** Tells React that it has read enough stacks: one for each element takes a third of the time of these tests. */
function spareOwnerStacks(): void {
  const internals: unknown = Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
  const counter = 'recentlyCreatedOwnerStacks';
  if (typeof internals !== 'object' || internals === null || !(counter in internals))
    throw new Error('This React counts its stacks elsewhere: without it, tests of pages take a third longer.');
  Object.defineProperty(internals, counter, { get: () => Number.POSITIVE_INFINITY, set() {} });
}

import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useSidebar } from './sidebar-state.tsx';

test('outside its provider the sidebar raises an error', () => {
  const Lost = () => <p>{useSidebar().state}</p>;
  // React reports what a component throws.
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => render(<Lost />)).toThrow('useSidebar must be used within a SidebarProvider.');
  report.mockRestore();
});

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ok, renderApp, stubServer } from '#web/test-app.tsx';

test('a page that is switched off asks for no number', async () => {
  stubServer({ 'GET /api/stop': () => ok({ open: false, texts: false }) });
  renderApp('/stop');
  expect(await screen.findByText(/^This page is switched off\./)).toBeVisible();
  expect(screen.queryByText(/Enter your own number/)).not.toBeInTheDocument();
});

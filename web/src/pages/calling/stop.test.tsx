import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ok, renderApp, stubServer } from '#web/test-app.tsx';

test('a page that is switched off asks for no number', async () => {
  stubServer({ 'GET /api/stop': () => ok({ open: false, texts: false }) });
  renderApp('/stop');
  expect(await screen.findByText(/^This page is switched off\./)).toBeVisible();
  expect(screen.queryByText(/Enter your own number/)).not.toBeInTheDocument();
});

test('a number that was asked for is read back in the form that all numbers have', async () => {
  stubServer({
    'GET /api/stop': () => ok({ open: true, texts: true }),
    'POST /api/stop': () => ok({ ask: 'ask-1' }),
  });
  const { user } = renderApp('/stop');
  await user.type(await screen.findByLabelText('Your phone number'), ' 312.555.0199 {Enter}');
  expect(await screen.findByText('+1 312-555-0199')).toBeVisible();
});

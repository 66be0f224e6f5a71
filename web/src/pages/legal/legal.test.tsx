import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ok, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

const PAGES = [
  ['/terms', 'Terms', /do-not-call/],
  ['/privacy', 'Privacy', /removed after 30 days/],
  ['/data-sources', 'Data sources', /You are responsible for the files you export/],
] as const;

test.each(PAGES)('%s is there for everyone, and leads to the others and to support', async (path, title, words) => {
  stubServer({});
  const { router } = renderApp(path, { config: { supportUrl: 'mailto:help@fairlead.example' } });
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  await waitFor(() => expect(document.title).toBe(`${title} · Fairlead`));
  expect(screen.getAllByText(words)[0]).toBeVisible();
  const links = within(screen.getByRole('navigation', { name: 'Legal' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(PAGES.map(([to]) => to));
  expect(screen.getByRole('link', { name: 'Ask a question' })).toHaveAttribute('href', 'mailto:help@fairlead.example');
  expect(router.state.location.pathname).toBe(path);
});

test('a signed-in person reads them too, and finds them from sidebar and account page', async () => {
  seedSession();
  stubServer({ 'GET /api/keys': () => ok({ apiKeys: [] }) });
  const { user, router } = renderApp('/account');
  expect(await screen.findByRole('navigation', { name: 'Legal, in the sidebar' })).toBeVisible();
  const links = within(screen.getByRole('navigation', { name: 'Legal' }));
  await user.click(links.getByRole('link', { name: 'Privacy' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/privacy');
});

test('the sign-in page leads to them', async () => {
  stubServer({});
  renderApp('/login');
  const links = within(await screen.findByRole('navigation', { name: 'Legal' }));
  expect(links.getAllByRole('link').map((link) => link.textContent)).toEqual(['Terms', 'Privacy', 'Data sources']);
});

import { render, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type LeadSiteVisit, MAIL_STATES, SITE_STATUSES } from '#contract/work/site-visit.ts';
import { ExternalLink, safePage } from './external-link.tsx';
import { SitePart } from './site-part.tsx';
import { mailText, NOTICE, siteStatusText } from './site-words.ts';

const PAGE = 'https://www.harbor.example/contact';
const visit = (more: Partial<LeadSiteVisit> = {}): LeadSiteVisit => ({
  status: 'nothing',
  emails: [],
  phones: [],
  profiles: [],
  at: '2026-11-25T12:00:00Z',
  ...more,
});

describe('a page that a website named', () => {
  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)//https://www.harbor.example',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:alert',
    'blob:https://www.harbor.example/1',
    'file:///etc/passwd',
    'mailto:someone@harbor.example',
    '//www.harbor.example/contact',
    'www.harbor.example/contact',
    'https://harbor.example@other.example/',
    'https://',
    '',
  ])('%j is never a link', (address) => {
    expect(safePage(address)).toBeUndefined();
    render(<ExternalLink address={address} />);
    expect(screen.queryByRole('link')).toBeNull();
  });

  test('one of http or https opens apart, and tells the site nothing', () => {
    render(<ExternalLink address={PAGE} />);
    const link = screen.getByRole('link', { name: /www\.harbor\.example\/contact/ });
    expect(link).toHaveAttribute('href', PAGE);
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    expect(link).toHaveAttribute('target', '_blank');
  });
});

test('each status and each state of mail has its own words', () => {
  expect(new Set(SITE_STATUSES.map((status) => siteStatusText(visit({ status })))).size).toBe(SITE_STATUSES.length);
  expect(new Set(MAIL_STATES.map(mailText)).size).toBe(MAIL_STATES.length);
});

test('an address that was found and cannot receive mail is not called a find', () => {
  const emails = [{ email: 'hello@harbor.example', mail: 'refuses', page: PAGE } as const];
  render(<SitePart site={visit({ status: 'found', emails })} email="" />);
  const part = screen.getByRole('region', { name: 'Visit to the website' });
  expect(part).toHaveTextContent('it cannot receive mail. Visited on Nov 25, 2026.');
  expect(part).toHaveTextContent(/hello@harbor\.example.*contact.*, Nov 25, 2026\. Its domain takes no mail/);
});

test('a notice against taking addresses is said first, with its words and page', () => {
  const notice = { words: 'Do not harvest our addresses.', page: `${PAGE}/terms` };
  render(<SitePart site={visit({ notice })} email="" />);
  expect(screen.getByRole('region')).toHaveTextContent('No email address was taken, and Hunter is not asked. Visited');
  const alert = screen.getByRole('alert');
  expect(alert).toHaveTextContent(NOTICE);
  expect(alert).toHaveTextContent('“Do not harvest our addresses.”');
  expect(within(alert).getByRole('link')).toHaveAttribute('href', `${PAGE}/terms`);
});

test('what stands beside is told, without the email that the lead has', () => {
  const email = { email: 'hello@harbor.example', mail: 'accepts', page: PAGE } as const;
  const other = { email: 'office@harbor.example', mail: 'unknown', page: PAGE } as const;
  render(
    <SitePart
      site={visit({
        status: 'found',
        email,
        emails: [email, other],
        phones: [{ phone: '+12175550142', page: PAGE }],
        profiles: [
          { profile: 'https://www.facebook.com/harbor-example', page: PAGE },
          { profile: 'javascript:alert(1)', page: PAGE },
        ],
      })}
      email="hello@harbor.example"
    />,
  );
  const part = screen.getByRole('region', { name: 'Visit to the website' });
  expect(part).not.toHaveTextContent('hello@harbor.example');
  expect(part).toHaveTextContent(/Other email addresses.*office@harbor\.example/);
  expect(part).toHaveTextContent(/Phone numbers on the site, not checked.*\+1 217-555-0142/);
  expect(part).toHaveTextContent('javascript:alert(1)');
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    PAGE,
    PAGE,
    'https://www.facebook.com/harbor-example',
  ]);
});

import type { ReactNode } from 'react';
import type { LeadSiteVisit } from '#contract/work/site-visit.ts';
import { formatDate, formatPhone } from '#web/lib/format/format.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { ExternalLink, FoundOn } from './external-link.tsx';
import { mailText, NOTICE, siteStatusText } from './site-words.ts';

/** What the business's own website told, beside the email that its lead has. */
export function SitePart({ site, email }: { site: LeadSiteVisit; email: string }) {
  const others = site.emails.filter((one) => one.email !== email);
  return (
    <section
      aria-label="Visit to the website"
      className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border bg-surface px-4 py-3"
    >
      <div className="grid gap-1">
        <h3 className="text-secondary text-sm">Visit to the website</h3>
        <p>{`${siteStatusText(site)} ${site.status === 'social_only' ? 'Seen' : 'Visited'} on ${formatDate(site.at)}.`}</p>
      </div>
      {site.notice ? (
        <Alert tone="warning" title={NOTICE}>
          <p className="break-words text-sm">
            <bdi>“{site.notice.words}”</bdi>
          </p>
          <p className="mt-1 text-secondary text-sm first-letter:uppercase">
            <FoundOn page={site.notice.page} at={site.at} />
          </p>
        </Alert>
      ) : null}
      <Values title={email ? 'Other email addresses' : 'Email addresses'}>
        {others.map((one) => (
          <Value key={one.email} value={one.email} page={one.page} at={site.at} more={mailText(one.mail)} />
        ))}
      </Values>
      <Values title="Phone numbers on the site, not checked">
        {site.phones.map(({ phone, page }) => (
          <Value key={phone} value={formatPhone(phone)} page={page} at={site.at} />
        ))}
      </Values>
      <Values title="Social profiles">
        {site.profiles.map(({ profile }) => (
          <li key={profile}>
            <ExternalLink address={profile} />
          </li>
        ))}
      </Values>
    </section>
  );
}

function Values({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div className="grid gap-1 border-t pt-2">
      <h4 className="text-secondary text-sm">{title}</h4>
      <ul className="grid gap-2">{children}</ul>
    </div>
  );
}

function Value({ value, page, at, more }: { value: string; page: string; at: string; more?: string }) {
  return (
    <li className="grid min-w-0">
      <bdi className="break-all">{value}</bdi>
      <span className="text-secondary text-sm first-letter:uppercase">
        <FoundOn page={page} at={at} />
        {more ? `. ${more}` : null}
      </span>
    </li>
  );
}

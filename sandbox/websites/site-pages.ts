import type { PlantedSite, SiteKind } from './planted-site.ts';

/** A page, or how the server behaves instead of giving one. */
export type SitePage =
  | { kind: 'page'; status: number; body: string; type?: string }
  | { kind: 'redirect'; to: string }
  | { kind: 'endless' | 'bomb' | 'silent'; body: string };

const page = (body: string, status = 200): SitePage => ({ kind: 'page', status, body });
const missing = page('<h1>Not found</h1>', 404);
const PRIVATE = [
  'http://127.0.0.1/admin',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:10.0.0.1]/',
  'http://2130706433/',
];

/** What a site answers to a path. `host`: as it was asked for. */
export function sitePage(site: PlantedSite, host: string, path: string): SitePage {
  const { kind, domain } = site;
  if (path === '/robots.txt') return robotsOf(kind);
  switch (kind) {
    case 'blocked':
      return page('<h1>Access denied</h1>', 403);
    case 'server-error':
      return page('<h1>Database is down</h1>', 503);
    case 'slow':
      return { kind: 'silent', body: '' };
    case 'leads-to-facebook':
      return { kind: 'redirect', to: `https://www.facebook.com/${domain.split('.')[0]}` };
    case 'redirect-private':
      return { kind: 'redirect', to: PRIVATE[domain.length % PRIVATE.length] ?? '' };
    case 'redirect-to-private-name':
      return { kind: 'redirect', to: `http://inside.${domain}/` };
    case 'redirect-loop':
      return { kind: 'redirect', to: `/${path.length % 2 ? 'aa' : 'a'}` };
    case 'moved-to-www':
      if (host === domain) return { kind: 'redirect', to: `http://www.${domain}${path}` };
      break;
    default:
  }
  if (path === '/') return homeOf(site);
  const inner = innerPages(site)[path];
  return inner === undefined ? missing : page(frame(site, inner));
}

function robotsOf(kind: SiteKind): SitePage {
  const file = (body: string): SitePage => ({ kind: 'page', status: 200, body, type: 'text/plain' });
  switch (kind) {
    case 'slow':
      return { kind: 'silent', body: '' };
    case 'robots-refuse':
      return file('User-agent: *\nDisallow: /\n');
    case 'robots-unreachable':
      return page('<h1>Try later</h1>', 500);
    case 'robots-hide-contact':
      return file('User-agent: *\nDisallow: /contact\n');
    case 'robots-allow-contact':
      return file('User-agent: *\nDisallow: /\nAllow: /$\nAllow: /contact\n\nUser-agent: BadBot\nDisallow: /\n');
    case 'blocked':
    case 'cloudflare':
    case 'mailto-home':
      return page('<h1>Not found</h1>', 404);
    default:
      return file('User-agent: *\nDisallow: /cart\n');
  }
}

/** Where most sites hang their address. */
const MENU =
  '<nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/contact">Contact</a> <a href="/services">Services</a></nav>';

function homeOf(site: PlantedSite): SitePage {
  const { kind, email, phone } = site;
  const call = `<p>Call <a href="tel:${phone}">${phone}</a></p>`;
  switch (kind) {
    case 'mailto-home':
      return page(frame(site, `${MENU}${call}<a href="mailto:${email}?subject=Hello">Email us</a>`));
    case 'freemail':
      return page(frame(site, `${MENU}${call}<p>Write to ${email}</p>`));
    case 'json-ld':
      return page(frame(site, `${MENU}${call}${jsonLd(site)}`));
    case 'nested-contact':
      return page(frame(site, `<a href="/about">Our story</a>${call}`));
    case 'legal-page':
      return page(frame(site, `<a href="/impressum">Impressum</a>${call}`));
    case 'social-only':
      return page(
        frame(
          site,
          `<p>Find us here:</p><a href="https://www.facebook.com/${titleOf(site.domain).replaceAll(' ', '')}">Facebook</a>`,
        ),
      );
    case 'notice':
      return page(frame(site, `${MENU}${call}<a href="/terms">Terms of use</a>`));
    case 'placeholders':
      return page(
        frame(
          site,
          `${call}<form><input placeholder="you@yourcompany.com"></form><img src="/logo@2x.png" alt="logo@2x.png">
          <p>For example user@example.com</p><p>Reports go to 8f3e2d1c8f3e2d1c8f3e2d1c8f3e2d1c@o4.ingest.sentry.io</p>`,
        ),
      );
    case 'endless':
      return { kind: 'endless', body: frame(site, `${call}<a href="mailto:${email}">Email</a>`, false) };
    case 'bomb':
      return { kind: 'bomb', body: frame(site, call) };
    default:
      return page(frame(site, `${MENU}${call}`));
  }
}

function innerPages(site: PlantedSite): Readonly<Record<string, string>> {
  const { kind, email } = site;
  const about = '<h1>About us</h1><p>A family firm since 1987. We are at the corner, next to the mill.</p>';
  const common = { '/about': about, '/services': '<h1>Services</h1>' };
  switch (kind) {
    case 'nested-contact':
      return {
        '/about': `${about}<a href="/reach/contact-form">Get in touch</a>`,
        '/reach/contact-form': `<a href="mailto:${email}">Mail</a>`,
      };
    case 'legal-page':
      return { '/impressum': `<h1>Impressum</h1><p>E-Mail: ${email}</p>` };
    case 'notice':
      return {
        ...common,
        '/contact': `<a href="mailto:${email}">Email</a>`,
        '/terms': '<p>You may not harvest or collect email addresses from this website by any automated means.</p>',
      };
    case 'no-address':
    case 'placeholders':
    case 'social-only':
    case 'bomb':
      return {
        ...common,
        '/contact': '<h1>Contact</h1><form><input name="email" placeholder="name@yourdomain.com"></form>',
      };
    case 'mailto-home':
    case 'freemail':
    case 'json-ld':
    case 'endless':
      return { ...common, '/contact': '<h1>Contact</h1><p>Open from 9 at 5.</p>' };
    default:
      return { ...common, '/contact': `<h1>Contact</h1>${written(site)}` };
  }
}

/** The address in the way that the kind of site writes it. */
function written({ kind, email, domain }: PlantedSite): string {
  const [local = ''] = email.split('@');
  switch (kind) {
    case 'cloudflare':
      return `<a href="/cdn-cgi/l/email-protection" data-cfemail="${cloudflare(email)}">[email&#160;protected]</a>`;
    case 'entities':
      return `<p>${[...email].map((char) => `&#${char.charCodeAt(0)};`).join('')}</p>`;
    case 'spelled':
      return domain.length % 2
        ? `<p>${local} [at] ${domain.replaceAll('.', ' [dot] ')}</p>`
        : `<p>${local} (at) ${domain.replaceAll('.', ' (dot) ')}</p>`;
    case 'text-contact':
      return `<p>Our address is <b>${email}</b>. We answer within a day.</p>`;
    default:
      return `<a href="mailto:${encodeURIComponent(email)}">Write to us</a>`;
  }
}

function cloudflare(email: string): string {
  const key = email.length;
  return [key, ...Buffer.from(email).map((byte) => byte ^ key)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

const jsonLd = ({ domain, email }: PlantedSite) =>
  `<script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [{ '@type': 'LocalBusiness', name: titleOf(domain), email: `mailto:${email}` }],
  })}</script>`;

function frame({ domain, credit }: PlantedSite, body: string, closed = true): string {
  const made = credit
    ? '<footer>Website by <a href="mailto:studio@pixelforge-agency.example">Pixel Forge</a></footer>'
    : '';
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${titleOf(domain)}</title>
<script>window.contact = 'script@${domain}';</script></head><body><h1>${titleOf(domain)}</h1>${body}${made}${closed ? '</body></html>' : ''}`;
}

/** The name of a firm, as its domain tells it: "copper-kettle.example" is "Copper Kettle". */
const titleOf = (domain: string): string =>
  (domain.split('.')[0] ?? domain)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

import { formatDate } from '#web/lib/format/format.ts';

/** The address of a page if it may be opened: http and https only, without a name or password in it. */
export function safePage(address: string): string | undefined {
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.username === '' && url.password === '' ? url.href : undefined;
}

/** An address that a website told: a link where it is safe to open, else only its text. */
export function ExternalLink({ address }: { address: string }) {
  const href = safePage(address);
  if (!href) return <bdi className="break-all">{address}</bdi>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="break-all rounded-sm underline underline-offset-4 hover:text-foreground"
    >
      <bdi>{href}</bdi>
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Which page a value stood on, and when: “found on https://www.harbor.example/contact, Nov 25, 2026”. */
export function FoundOn({ page, at }: { page: string; at: string }) {
  return (
    <>
      found on <ExternalLink address={page} />
      {`, ${formatDate(at)}`}
    </>
  );
}

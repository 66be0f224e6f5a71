import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useConfig } from '#web/lib/backend/config.tsx';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { Logo } from '#web/shell/logo.tsx';

/** The frame of the pages that everyone may read, signed in or not. */
export function LegalPage({ title, summary, children }: { title: string; summary: ReactNode; children: ReactNode }) {
  const { supportUrl } = useConfig();
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8 px-4 py-6 md:py-10">
      <title>{`${title} · Fairlead`}</title>
      <header>
        <Link to="/" aria-label="Fairlead, to the start" className="inline-flex rounded-lg py-1">
          <Logo />
        </Link>
      </header>
      <main className="grid gap-8">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          <p className="mt-1 text-secondary">{summary}</p>
        </div>
        {children}
      </main>
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t pt-4">
        <LegalLinks />
        <a href={supportUrl} target="_blank" rel="noreferrer" className="rounded-sm py-1 text-accent text-sm underline">
          Ask a question
        </a>
      </footer>
    </div>
  );
}

/** One subject of such a page. */
export function LegalSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2 leading-relaxed [&_a]:text-accent [&_a]:underline [&_a]:underline-offset-4 [&_dd]:text-secondary [&_dt]:font-medium [&_li]:text-secondary [&_p]:text-secondary [&_strong]:font-medium [&_strong]:text-foreground [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-1.5 [&_ul]:pl-5">
      <h2 className="font-semibold text-base">{title}</h2>
      {children}
    </section>
  );
}

/** A link to someone else’s page. */
export function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

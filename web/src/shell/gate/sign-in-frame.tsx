import type { ReactNode } from 'react';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { Logo } from '#web/shell/logo.tsx';

/** What stands around every step of signing in. `before` stands between the logo and the panel. */
export function SignInFrame({
  title,
  description,
  before,
  children,
}: {
  title: string;
  description?: ReactNode;
  before?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 px-4 py-10">
      <title>Sign in · Fairlead</title>
      <Logo className="justify-self-center" />
      {before}
      <div className="grid gap-5 rounded-lg border bg-surface p-6">
        <header>
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          {description ? <p className="mt-1 text-balance text-secondary">{description}</p> : null}
        </header>
        {children}
      </div>
      <footer className="grid gap-2">
        <p className="text-balance text-center text-faint text-sm">
          Local business leads with your own provider keys, at the providers’ prices.
        </p>
        <LegalLinks className="justify-center" />
      </footer>
    </main>
  );
}

import { Link } from 'react-router';
import { Logo } from '#web/shell/logo.tsx';
import { Button } from '#web/ui/button.tsx';

export function NotFoundPage() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-sm content-center justify-items-center gap-3 p-4 text-center">
      <title>Page not found · Fairlead</title>
      <Logo />
      <p className="mt-6 font-semibold text-faint text-xl tabular-nums">404</p>
      <h1 className="font-semibold text-xl tracking-tight">Oops! Page not found</h1>
      <p className="text-secondary">Nothing lives at this address. It may have been mistyped or moved.</p>
      <Button asChild variant="primary" className="mt-2">
        <Link to="/">Return to home</Link>
      </Button>
    </main>
  );
}

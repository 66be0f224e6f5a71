import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { landingText } from '#web/features/access/codes/sign-in-messages.ts';
import { CheckEmail } from '#web/features/access/sign-in/check-email.tsx';
import { CodeForm } from '#web/features/access/sign-in/code-form.tsx';
import { EmailForm } from '#web/features/access/sign-in/email-form.tsx';
import { ProviderButtons } from '#web/features/access/sign-in/provider-buttons.tsx';
import type { AccountDeleted } from '#web/features/account/api.ts';
import { useTexts } from '#web/lib/backend/auth-settings.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import type { LandingNews } from '#web/lib/session/landing.ts';
import { useLandingNews } from '#web/lib/session/landing-news.tsx';
import type { LinkSent } from '#web/lib/session/link-sent.ts';
import { readReturnTo, takeReturnTo } from '#web/lib/session/return-to.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { sessionEndText } from '#web/lib/session/session-end.ts';
import { SignInFrame } from '#web/shell/gate/sign-in-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

const TextSignIn = lazy(async () => ({
  default: (await loadAgain(() => import('#web/features/access/sign-in/text-sign-in.tsx'), 'TextSignIn')).TextSignIn,
}));

type View =
  | { name: 'email'; email: string }
  | { name: 'sent'; email: string; sent: LinkSent }
  | { name: 'code' }
  | { name: 'text' };

const HEADINGS: Record<View['name'], string> = {
  email: 'Sign in to Fairlead',
  sent: 'Sign in to Fairlead',
  code: 'Enter your code',
  text: 'Sign in by text message',
};

const DESCRIPTIONS: Partial<Record<View['name'], string>> = {
  email: 'No password needed. We email you a sign-in link.',
  text: 'We text a code to the number you confirmed on the Account page.',
};

/** `email` is the address that an invitation's link fills in. */
const firstView = (news: LandingNews | undefined, email: string): View =>
  news === 'expired' || news === 'other_device' ? { name: 'code' } : { name: 'email', email };

/** Goes on once someone is signed in, also when that happened in another tab, which then has been there before. */
function useLeaveWhenSignedIn(): boolean {
  const { status } = useSession();
  const navigate = useNavigate();
  const [returnTo] = useState(() => readReturnTo());
  const signedIn = status === 'signed_in';
  useEffect(() => {
    if (!signedIn) return;
    takeReturnTo();
    void navigate(returnTo, { replace: true });
  }, [signedIn, navigate, returnTo]);
  return signedIn;
}

export function LoginPage() {
  const news = useLandingNews();
  const [params] = useSearchParams();
  const [view, setView] = useState(() => firstView(news, params.get('email') ?? ''));
  const { accountDeleted = false } = (useLocation().state ?? {}) as AccountDeleted;
  const texts = useTexts();
  const leaving = useLeaveWhenSignedIn();
  const ended = sessionEndText();
  if (leaving) return null;
  const explanation = news && view.name !== 'sent' ? landingText(news) : undefined;
  return (
    <SignInFrame
      title={HEADINGS[view.name]}
      description={DESCRIPTIONS[view.name]}
      before={
        accountDeleted && view.name === 'email' ? (
          <Alert title="Your account is deleted">Your lists, keys and records are gone too.</Alert>
        ) : ended && view.name === 'email' ? (
          <Alert title="Your session ended">{ended}</Alert>
        ) : null
      }
    >
      {explanation ? (
        <Alert tone={explanation.tone} title={explanation.title}>
          {explanation.text}
        </Alert>
      ) : null}
      {view.name === 'email' ? (
        <EmailForm
          autoFocus
          initialEmail={view.email}
          onSent={(email, sent) => setView({ name: 'sent', email, sent })}
        />
      ) : null}
      {view.name === 'sent' ? (
        <CheckEmail email={view.email} sent={view.sent} onChangeEmail={() => setView({ name: 'email', email: '' })} />
      ) : null}
      {view.name === 'code' ? <CodeForm /> : null}
      {view.name === 'code' ? (
        <Button variant="ghost" onClick={() => setView({ name: 'email', email: '' })}>
          Send a new link
        </Button>
      ) : null}
      {view.name === 'text' ? (
        <>
          <Suspense fallback={<LoadingForm />}>
            <TextSignIn />
          </Suspense>
          <Button variant="ghost" onClick={() => setView({ name: 'email', email: '' })}>
            Sign in by email instead
          </Button>
        </>
      ) : null}
      {view.name === 'email' ? (
        <div className="grid gap-1">
          <Button variant="ghost" onClick={() => setView({ name: 'code' })}>
            I have a code
          </Button>
          {texts ? (
            <Button variant="ghost" onClick={() => setView({ name: 'text' })}>
              Sign in by text message instead
            </Button>
          ) : null}
        </div>
      ) : null}
      {view.name === 'email' ? <ProviderButtons /> : null}
    </SignInFrame>
  );
}

function LoadingForm() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-20" />
      <Skeleton className="h-10" />
    </div>
  );
}

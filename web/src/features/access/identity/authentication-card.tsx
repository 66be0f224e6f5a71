import { useRef, useState } from 'react';
import { useLogout } from '#web/features/access/sessions/use-logout.ts';
import { CheckEmail } from '#web/features/access/sign-in/check-email.tsx';
import { EmailForm } from '#web/features/access/sign-in/email-form.tsx';
import { useTexts } from '#web/lib/backend/auth-settings.ts';
import { rememberReturnTo } from '#web/lib/session/return-to.ts';
import { type SessionUser, useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { useFollowAddressChange } from './address-api.ts';
import { AddressNews } from './address-news.tsx';
import { ChangeAddressDialog } from './change-address-dialog.tsx';
import { OwnPhone } from './own-phone.tsx';
import { PendingAddressNotice } from './pending-address.tsx';

function SignedIn({ user, texts }: { user: SessionUser; texts: boolean }) {
  const { email, change } = user;
  const logout = useLogout();
  const [changing, setChanging] = useState<{ to: string }>();
  const changeButton = useRef<HTMLButtonElement>(null);
  useFollowAddressChange(user);
  return (
    <div className="grid gap-4">
      <AddressNews pending={change !== undefined} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="text-faint text-sm">Signed in as</p>
          <p className="break-all font-medium">{email}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button ref={changeButton} onClick={() => setChanging({ to: '' })}>
            Change address…
          </Button>
          <Button onClick={logout}>Sign out</Button>
        </div>
      </div>
      {change ? (
        <PendingAddressNotice
          current={email}
          change={change}
          onAgain={() => setChanging({ to: change.email })}
          onGivenUp={() => changeButton.current?.focus()}
        />
      ) : null}
      {texts ? <OwnPhone user={user} /> : null}
      <ChangeAddressDialog
        current={email}
        initialEmail={changing?.to ?? ''}
        open={changing !== undefined}
        onOpenChange={(open) => (open ? undefined : setChanging(undefined))}
      />
    </div>
  );
}

function SignedOut() {
  const [sentTo, setSentTo] = useState<string>();
  const remember = (email: string) => {
    rememberReturnTo('/account');
    setSentTo(email);
  };
  return (
    <div className="max-w-sm">
      {sentTo ? (
        <CheckEmail email={sentTo} onChangeEmail={() => setSentTo(undefined)} />
      ) : (
        <EmailForm onSent={remember} />
      )}
    </div>
  );
}

/** Who is signed in, or the way in. */
export function AuthenticationCard() {
  const { status, user } = useSession();
  const texts = useTexts();
  return (
    <Card aria-label="Authentication">
      <CardHeader>
        <CardTitle>Authentication</CardTitle>
        <CardDescription>
          Sign-in is by emailed link{texts ? ' or text message' : ''}; there is no password.
        </CardDescription>
      </CardHeader>
      <CardContent>
        {status === 'loading' ? <Skeleton className="h-8 w-64 max-w-full" /> : null}
        {status === 'signed_in' ? <SignedIn user={user} texts={texts} /> : null}
        {status === 'signed_out' ? <SignedOut /> : null}
      </CardContent>
    </Card>
  );
}

import type { UserIdentity } from '@supabase/supabase-js';
import { type ReactNode, useState } from 'react';
import { identityErrorText, landingText } from '#web/features/access/codes/sign-in-messages.ts';
import { providerName, useSignInProviders } from '#web/features/access/sign-in/sign-in-providers.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { isIdentityNews } from '#web/lib/session/landing.ts';
import { useLandingNews } from '#web/lib/session/landing-news.tsx';
import { type SessionUser, useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { useIdentities, useLinkIdentity } from './identities-api.ts';
import { UnlinkDialog } from './unlink-dialog.tsx';

/** One way in: what it is, whose it is, and what can be done about it. */
function Way({ name, detail, children }: { name: string; detail: string; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="break-words text-secondary text-sm">{detail}</p>
      </div>
      {children}
    </li>
  );
}

function LinkedWay({ identity, onUnlink }: { identity: UserIdentity; onUnlink: () => void }) {
  const name = providerName(identity.provider);
  const email: unknown = identity.identity_data?.email;
  const since = identity.created_at ? `Linked ${formatDate(identity.created_at)}` : 'Linked';
  return (
    <Way name={name} detail={typeof email === 'string' ? `${email} · ${since}` : since}>
      <Button size="sm" onClick={onUnlink} aria-label={`Unlink ${name}`}>
        Unlink
      </Button>
    </Way>
  );
}

function UnlinkedWay({ provider }: { provider: string }) {
  const linking = useLinkIdentity();
  const name = providerName(provider);
  const link = () =>
    linking.mutate(provider, {
      onError: (error) => toast.error(`${name} could not be linked`, identityErrorText(error)),
    });
  return (
    <Way name={name} detail="Not linked">
      <Button size="sm" pending={linking.isPending} onClick={link} aria-label={`Link ${name}`}>
        Link
      </Button>
    </Way>
  );
}

function LoadingWay() {
  return (
    <li role="status" className="flex items-center justify-between gap-3 py-3 last:pb-0">
      <span className="sr-only">Loading your linked accounts</span>
      <div className="grid gap-2">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-3.5 w-48 max-w-full" />
      </div>
      <Skeleton className="h-7 w-14" />
    </li>
  );
}

function Ways({ user, providers, onUnlink }: { user: SessionUser; providers: string[]; onUnlink: () => void }) {
  const identities = useIdentities();
  const [unlinking, setUnlinking] = useState<UserIdentity>();
  const unlink = (identity: UserIdentity) => {
    onUnlink();
    setUnlinking(identity);
  };
  const linked = identities.data ?? [];
  const others = providers.filter((provider) => !linked.some((one) => one.provider === provider));
  return (
    <>
      <ul className="divide-y">
        <Way name="Emailed link" detail={user.email} />
        {linked.map((identity) => (
          <LinkedWay key={identity.identity_id} identity={identity} onUnlink={() => unlink(identity)} />
        ))}
        {identities.data ? others.map((provider) => <UnlinkedWay key={provider} provider={provider} />) : null}
        {identities.isPending ? <LoadingWay /> : null}
      </ul>
      {!identities.data && identities.error ? (
        <ReadFailed title="Failed to load your linked accounts" query={identities} again="Try again">
          {identityErrorText(identities.error)}
        </ReadFailed>
      ) : null}
      {unlinking ? <UnlinkDialog identity={unlinking} onClose={() => setUnlinking(undefined)} /> : null}
    </>
  );
}

/** The ways into the account; others than mail can be linked and unlinked. Nothing where mail is the only one. */
export function IdentitiesCard() {
  const { status, user } = useSession();
  const providers = useSignInProviders();
  const news = useLandingNews();
  const [isOld, setOld] = useState(false);
  if (status !== 'signed_in' || providers.length === 0) return null;
  const told = news && isIdentityNews(news) && !isOld ? landingText(news) : undefined;
  return (
    <Card aria-label="Ways to sign in">
      <CardHeader>
        <CardTitle>Ways to sign in</CardTitle>
        <CardDescription>
          An account that you link also signs you in here, even with a different address.
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        {told ? (
          <Alert tone={told.tone} title={told.title}>
            {told.text}
          </Alert>
        ) : null}
        <Ways user={user} providers={providers} onUnlink={() => setOld(true)} />
      </CardContent>
    </Card>
  );
}

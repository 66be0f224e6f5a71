import type { Factor } from '@supabase/supabase-js';
import { useQuery } from '@tanstack/react-query';
import { ProveSecondStep } from '#web/features/access/second-step/prove-second-step.tsx';
import { hasCodesLeft, recoveryCodesQuery } from '#web/features/access/second-step/recovery-api.ts';
import { RequiredSetup } from '#web/features/access/second-step/required-setup.tsx';
import { factorsQuery } from '#web/features/access/second-step/second-step-api.ts';
import { useLogout } from '#web/features/access/sessions/use-logout.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

function wantedCode(factors: readonly Factor[]): string {
  const phones = factors.filter(({ factor_type: type }) => type === 'phone').length;
  if (phones === 0) return 'the code that your authenticator app shows now';
  return phones === factors.length
    ? 'a code that we text to your phone'
    : 'a code from your authenticator app, or one that we text to your phone';
}

/** In place of every page, while someone has to prove a second step, or to set one up. */
export function SecondStepGate() {
  const factors = useQuery(factorsQuery);
  const hasFactors = (factors.data?.length ?? 0) > 0;
  const { data: codes } = useQuery({ ...recoveryCodesQuery, enabled: hasFactors });
  const logout = useLogout();
  const settingUp = factors.data?.length === 0;
  return (
    <SignInFrame
      title={settingUp ? 'Set up two-step sign-in' : 'Enter your second code'}
      description={
        settingUp
          ? 'Your administrator requires a second step at every sign-in. Setting it up takes a minute.'
          : `The first step is done. The second is ${wantedCode(factors.data ?? [])}${hasCodesLeft(codes) ? ', or a recovery code' : ''}.`
      }
    >
      {factors.data && settingUp ? <RequiredSetup /> : null}
      {factors.data && !settingUp ? (
        <>
          <ProveSecondStep factors={factors.data} />
          <p className="text-faint text-sm">
            Lost it and your recovery codes? An administrator can reset your two-step sign-in.
          </p>
        </>
      ) : null}
      {!factors.data && factors.error ? (
        <ReadFailed title="Your second step could not be loaded" query={factors} again="Try again">
          {factors.error.message}
        </ReadFailed>
      ) : null}
      {factors.isPending ? (
        <div role="status" className="grid gap-4">
          <span className="sr-only">Loading</span>
          <Skeleton className="h-9" />
          <Skeleton className="h-10" />
        </div>
      ) : null}
      <Button variant="ghost" onClick={logout}>
        Sign out
      </Button>
    </SignInFrame>
  );
}

import { useMutation } from '@tanstack/react-query';
import { SOMETHING_WRONG } from '#web/features/access/codes/sign-in-messages.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { providerName, useSignInProviders } from './sign-in-providers.ts';

/** Leaves for the provider's page. */
async function leave(provider: string): Promise<void> {
  const { auth } = await getSupabase();
  const { error } = await auth.signInWithOAuth({
    provider: provider as `custom:${string}`,
    options: { redirectTo: window.location.origin },
  });
  if (error) throw error;
}

/** Ways in by someone else's word, below the form. Nothing where none is configured. */
export function ProviderButtons() {
  const providers = useSignInProviders();
  const leaving = useMutation({ mutationFn: leave });
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3 text-faint text-sm" aria-hidden>
        <span className="h-px flex-1 bg-border" />
        or
        <span className="h-px flex-1 bg-border" />
      </div>
      {providers.map((provider) => (
        <Button
          key={provider}
          size="lg"
          pending={leaving.isPending && leaving.variables === provider}
          onClick={() => leaving.mutate(provider)}
        >
          Continue with {providerName(provider)}
        </Button>
      ))}
      {leaving.error ? <Alert tone="danger">{SOMETHING_WRONG}</Alert> : null}
    </div>
  );
}

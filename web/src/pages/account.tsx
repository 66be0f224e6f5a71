import { ApiKeysCard } from '#web/features/provider-keys/api-keys-card.tsx';
import { AuthenticationCard } from '#web/features/session/authentication-card.tsx';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function AccountPage() {
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader
        title="Account Settings"
        description="Who you are signed in as, and the keys you use."
        actions={<TrainingVideoButton page="account" />}
      />
      <div className="grid gap-4">
        <AuthenticationCard />
        <ApiKeysCard />
      </div>
    </div>
  );
}

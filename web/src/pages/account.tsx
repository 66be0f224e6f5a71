import { AuthenticationCard } from '#web/features/access/identity/authentication-card.tsx';
import { IdentitiesCard } from '#web/features/access/identity/identities-card.tsx';
import { SecondStepCard } from '#web/features/access/second-step/second-step-card.tsx';
import { SessionsCard } from '#web/features/access/sessions/sessions-card.tsx';
import { DeleteAccountCard } from '#web/features/account/delete-account-card.tsx';
import { YourDataCard } from '#web/features/account/your-data-card.tsx';
import { ApiKeysCard } from '#web/features/api-keys/api-keys-card.tsx';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

export function AccountPage() {
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader
        title="Account Settings"
        description="Who you are signed in as, the keys you use, and what is stored."
        actions={<TrainingVideoButton page="account" />}
      />
      <div className="grid gap-4">
        <AuthenticationCard />
        <IdentitiesCard />
        <SecondStepCard />
        <SessionsCard />
        <ApiKeysCard />
        <YourDataCard />
        <DeleteAccountCard />
      </div>
      <LegalLinks />
    </div>
  );
}

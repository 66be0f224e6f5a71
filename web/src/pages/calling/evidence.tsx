import { useQuery } from '@tanstack/react-query';
import { EVIDENCE_YEARS } from '#contract/calling/evidence.ts';
import { HeadCard } from '#web/features/evidence/head-card.tsx';
import { PackCard } from '#web/features/evidence/pack-card.tsx';
import { listsQuery } from '#web/features/lists/api.ts';
import { usersQuery } from '#web/features/users/api.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

/** What was known about a contact, and when: to be handed to someone who asks. */
export function EvidencePage() {
  const { status, user } = useSession();
  const isAdmin = user?.role === 'admin';
  const lists = useQuery({ ...listsQuery(false), enabled: status === 'signed_in' });
  const people = useQuery({ ...usersQuery, enabled: isAdmin });
  return (
    <div className="grid min-w-0 gap-6">
      <PageHeader
        title="Evidence"
        description={`Checks, verdicts, calls, suppressions and exports, in a chain that no one can change unnoticed. Personal data in it is kept for ${EVIDENCE_YEARS} years.`}
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in to ask for evidence.</SignedOutAlert>
      ) : (
        <>
          <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <PackCard
              lists={(lists.data ?? []).map(({ id, name }) => ({ id, name }))}
              people={isAdmin ? (people.data ?? []).map(({ id, email }) => ({ id, name: email })) : undefined}
            />
            <HeadCard />
          </div>
          <p className="max-w-prose text-faint text-sm">
            {isAdmin
              ? 'You may ask for everyone’s entries.'
              : 'A pack holds entries of what you did yourself. Administrators may ask for everyone’s.'}{' '}
            A pack shows what was written down at the time. It does not say that a call was lawful: ask a lawyer.
          </p>
        </>
      )}
    </div>
  );
}

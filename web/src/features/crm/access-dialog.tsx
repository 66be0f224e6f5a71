import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import type { CrmAccess } from '#contract/admin/crm.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { accessQuery } from './api.ts';
import { ConnectKeapLink } from './connect-again.tsx';
import { crmErrorText, wantsConnection } from './crm-messages.ts';

/** What the CRM says of `email` now; open while there is one. */
export function CrmAccessDialog({
  email,
  admin,
  disabled,
  onOpenChange,
}: {
  email: string | undefined;
  /** Whether they get in whatever the CRM says. */
  admin: boolean;
  /** Whether they stay out whatever the CRM says. */
  disabled: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={email !== undefined} onOpenChange={onOpenChange}>
      <DialogContent title="CRM Access" description={email} size="sm">
        <DialogBody>
          {email === undefined ? null : <Answer email={email} />}
          {disabled ? (
            <p className="text-secondary text-sm">
              This account is disabled. This person cannot sign in, even with a required tag.
            </p>
          ) : admin ? (
            <p className="text-secondary text-sm">Admins can sign in without a required tag.</p>
          ) : null}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

function Answer({ email }: { email: string }) {
  const access = useQuery(accessQuery(email));
  if (access.data) return <Tags access={access.data} />;
  if (!access.error)
    return (
      <p role="status" className="text-secondary">
        Checking…
      </p>
    );
  return (
    <ReadFailed
      title="Failed to load access status."
      query={access}
      remedy={wantsConnection(access.error) ? <ConnectKeapLink /> : null}
    >
      {crmErrorText(access.error)}
    </ReadFailed>
  );
}

function Tags({ access: { has_any: hasAny, required, matches } }: { access: CrmAccess }) {
  const held = new Set(matches.map((match) => match.tag_id));
  const granted = hasAny || required.length === 0;
  return (
    <>
      <p className="flex items-center justify-between gap-3">
        <span className="font-medium">Overall access</span>
        <Badge tone={granted ? 'success' : 'danger'}>
          {granted ? <Check aria-hidden /> : <X aria-hidden />}
          {granted ? 'Granted' : 'Denied'}
        </Badge>
      </p>
      {required.length === 0 ? (
        <p className="text-secondary">No tag is required, so Keap does not control who can sign in.</p>
      ) : (
        <section aria-label="Required tags" className="grid gap-1">
          <p className="text-secondary text-sm">Required tags (any one is enough)</p>
          <ul className="divide-y rounded-lg border">
            {required.map((tag) => (
              <li key={tag.tag_id} className="flex items-center gap-2 px-3 py-2">
                {held.has(tag.tag_id) ? (
                  <Check aria-label="Has it" className="size-4 shrink-0 text-success" />
                ) : (
                  <X aria-label="Lacks it" className="size-4 shrink-0 text-danger" />
                )}
                <span className="min-w-0 break-words">{tag.tag_name}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

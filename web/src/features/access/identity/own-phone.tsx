import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { factorPhone, factorsQuery } from '#web/features/access/second-step/second-step-api.ts';
import { isSignInElsewhere, useConfig } from '#web/lib/backend/config.tsx';
import { formatPhone } from '#web/lib/format/format.ts';
import type { SessionUser } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { OwnPhoneDialog } from './own-phone-dialog.tsx';
import { RemovePhoneDialog } from './remove-phone-dialog.tsx';

/** The number that signs someone in by text message, to be added, changed and removed. */
export function OwnPhone({ user }: { user: SessionUser }) {
  const { phone } = user;
  const isElsewhere = isSignInElsewhere(useConfig());
  const { data: factors = [] } = useQuery(factorsQuery);
  const [open, setOpen] = useState<'change' | 'remove'>();
  const secondSteps = factors.flatMap((factor) => factorPhone(factor) ?? []);
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-faint text-sm">Phone number</p>
        <p className="font-medium">{phone ? formatPhone(phone) : 'None'}</p>
        <p className="text-secondary text-sm">
          {purpose(phone, { isSecondStep: phone !== undefined && secondSteps.includes(phone), isElsewhere })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('change')}>{phone ? 'Change number…' : 'Add number…'}</Button>
        {phone ? (
          <Button onClick={() => setOpen('remove')} aria-label="Remove number">
            Remove
          </Button>
        ) : null}
      </div>
      {open === 'change' ? <OwnPhoneDialog user={user} secondSteps={secondSteps} onClose={close} /> : null}
      {open === 'remove' && phone ? <RemovePhoneDialog phone={phone} onClose={close} /> : null}
    </div>
  );
}

/** Supabase lets a number sign in that is the second step. */
function purpose(
  phone: string | undefined,
  { isSecondStep, isElsewhere }: Record<'isSecondStep' | 'isElsewhere', boolean>,
) {
  if (!phone) return 'Add one to sign in by text message as well.';
  if (!isSecondStep) return 'Signs you in by text message.';
  return isElsewhere
    ? 'It signs you in, and it is also your second step, so one phone covers both. Remove it here, or choose another second step.'
    : 'It is your second step, so it cannot also sign you in. One phone would cover both steps.';
}

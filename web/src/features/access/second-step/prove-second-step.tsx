import type { Factor } from '@supabase/supabase-js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ProveForm } from './prove-form.tsx';
import { hasCodesLeft, recoveryCodesQuery } from './recovery-api.ts';
import { RecoveryForm } from './recovery-form.tsx';

/** Asks for a code of one of `factors`, of which there is at least one, or for a recovery code where some are left. */
export function ProveSecondStep({ factors, onProven }: { factors: readonly Factor[]; onProven?: () => void }) {
  const { data: codes } = useQuery(recoveryCodesQuery);
  const [byRecovery, setByRecovery] = useState(false);
  return (
    <div className="grid gap-3">
      {byRecovery ? (
        <RecoveryForm onProven={onProven} />
      ) : (
        <ProveForm factors={factors} {...(onProven ? { onProven } : {})} />
      )}
      {hasCodesLeft(codes) ? (
        <Button variant="ghost" onClick={() => setByRecovery(!byRecovery)}>
          {byRecovery ? 'Use my second step instead' : 'Use a recovery code instead'}
        </Button>
      ) : null}
    </div>
  );
}

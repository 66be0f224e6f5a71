import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { toast } from '#web/ui/feedback/toast.ts';
import { connectFailureText } from './crm-messages.ts';

/**
 * Tells once how connecting went, which the CRM's way back has put into the address, and cleans the address. Only while `admitted`:
 * someone else cannot have connected anything, and came by a link that was made up.
 */
export function useConnectResult(admitted: boolean): void {
  const [params, setParams] = useSearchParams();
  const result = params.get('keap');
  const reason = params.get('reason');
  useEffect(() => {
    if (result === null || !admitted) return;
    if (result === 'connected') toast.success('Keap connected', 'Choose the tags that people need to sign in.');
    else toast.error('Keap connect failed', connectFailureText(reason));
    setParams(
      (current) => {
        current.delete('keap');
        current.delete('reason');
        return current;
      },
      { replace: true },
    );
  }, [admitted, result, reason, setParams]);
}

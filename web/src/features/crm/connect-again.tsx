import { Link } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useStartOauth } from './api.ts';
import { crmErrorText } from './crm-messages.ts';

/** Leads from another page to where Keap is connected. */
export function ConnectKeapLink() {
  return (
    <Button size="sm" asChild>
      <Link to="/admin/settings">Connect Keap</Link>
    </Button>
  );
}

/** Connects Keap from the page of its settings. */
export function ConnectKeapButton() {
  const starting = useStartOauth();
  const connect = () =>
    starting.mutate(undefined, {
      onSuccess: (address) => window.location.assign(address),
      onError: (error) => toast.error('Keap connect failed', crmErrorText(error)),
    });
  return (
    <Button size="sm" pending={starting.isPending || starting.isSuccess} onClick={connect}>
      Connect Keap
    </Button>
  );
}

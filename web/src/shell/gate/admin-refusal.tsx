import { ShieldAlert } from 'lucide-react';
import { Link } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';

/** In place of an administrators' page, for whom the server has refused it. */
export function AdminRefusal() {
  return (
    <EmptyState
      icon={ShieldAlert}
      title="Administrators only"
      description="Your account does not have access to this page. An administrator can change your role."
      action={
        <Button asChild>
          <Link to="/">Back to Dashboard</Link>
        </Button>
      }
    />
  );
}

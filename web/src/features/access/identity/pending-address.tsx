import type { PendingAddress } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useGiveUpAddressChange, useRepeatAddressChange } from './address-api.ts';

/** How long the links of a change work, in ms: as long as the mails say. */
const LINKS_LAST_MS = 3_600_000;

/** A change of address that waits for its mailboxes, or has waited too long. `onAgain` begins it again; `onGivenUp` takes the focus. */
export function PendingAddressNotice({
  current,
  change: { email, sentAt },
  onAgain,
  onGivenUp,
}: {
  current: string;
  change: PendingAddress;
  onAgain: () => void;
  onGivenUp: () => void;
}) {
  const repeating = useRepeatAddressChange();
  const givingUp = useGiveUpAddressChange(() => {
    toast.success('Change canceled', `You keep ${current}.`);
    onGivenUp();
  });
  const lapsed = Date.parse(sentAt) + LINKS_LAST_MS <= Date.now();

  const repeat = () =>
    repeating.mutate(current, {
      onSuccess: () => toast.success('Links sent again', 'To each mailbox that has not confirmed yet.'),
      onError: (error) => toast.error('The links were not sent', error.message),
    });
  const giveUp = () =>
    givingUp.mutate(current, {
      onError: (error) => toast.error('The change could not be canceled here', error.message),
    });
  return (
    <Alert
      tone={lapsed ? 'neutral' : 'info'}
      title={lapsed ? 'Your address change expired' : 'Waiting for both mailboxes'}
    >
      <p>
        {lapsed ? 'The links for ' : 'To change your address to '}
        <span className="wrap-anywhere font-medium">{email}</span>
        {lapsed ? (
          ' have expired. Your address has not changed.'
        ) : (
          <>
            , open the link there and the one mailed to <span className="wrap-anywhere font-medium">{current}</span>.
            Until you have opened both, you sign in as before.
          </>
        )}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {lapsed ? (
          <Button size="sm" onClick={onAgain}>
            Begin again…
          </Button>
        ) : (
          <Button size="sm" pending={repeating.isPending} onClick={repeat}>
            Send the links again
          </Button>
        )}
        <Button size="sm" pending={givingUp.isPending} onClick={giveUp}>
          {lapsed ? 'Dismiss' : 'Cancel the change'}
        </Button>
      </div>
    </Alert>
  );
}

import { useState } from 'react';
import { useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** The end of an account, behind a dialog. */
export function DeleteAccountCard() {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  if (!user) return null;
  return (
    <Card aria-label="Delete account" className="border-danger/40">
      <CardHeader>
        <CardTitle>Delete account</CardTitle>
        <CardDescription>Permanently deletes your account and everything in it, right away.</CardDescription>
      </CardHeader>
      <CardContent>
        <Button variant="danger" onClick={() => setOpen(true)}>
          Delete account
        </Button>
        <DeleteAccountDialog email={user.email} open={open} onOpenChange={setOpen} />
      </CardContent>
    </Card>
  );
}

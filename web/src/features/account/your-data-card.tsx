import { useSession } from '#web/lib/session/session.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { ExportButton } from './export-button.tsx';

/** The way to a copy of everything that is stored about the signed-in person. */
export function YourDataCard() {
  const { status } = useSession();
  if (status !== 'signed_in') return null;
  return (
    <Card aria-label="Your data">
      <CardHeader>
        <CardTitle>Your data</CardTitle>
        <CardDescription>
          One JSON file with your profile, lists and leads, runs, every paid call, and your keys in masked form.
        </CardDescription>
      </CardHeader>
      <CardContent>
        <ExportButton />
      </CardContent>
    </Card>
  );
}

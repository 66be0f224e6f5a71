import { landingText } from '#web/features/access/codes/sign-in-messages.ts';
import { isAddressNews } from '#web/lib/session/landing.ts';
import { useLandingNews } from '#web/lib/session/landing-news.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';

/** What the link of a change of address that opened this page has brought about. */
export function AddressNews({ pending }: { pending: boolean }) {
  const news = useLandingNews();
  // The other mailbox has answered in the meantime.
  if (!news || !isAddressNews(news) || (news === 'address_half' && !pending)) return null;
  const { tone, title, text } = landingText(news);
  return (
    <Alert tone={tone} title={title}>
      {text}
    </Alert>
  );
}

import { isAddressNews } from '#web/lib/landing.ts';
import { useLandingNews } from '#web/lib/landing-news.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { landingText } from './sign-in-messages.ts';

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

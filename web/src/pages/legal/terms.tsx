import { Link } from 'react-router';
import { DELETION_WARNING_DAYS, RETENTION_DAYS, VERDICT_DAYS } from '#contract/retention.ts';
import { LegalPage, LegalSection } from './legal-page.tsx';

export function TermsPage() {
  return (
    <LegalPage title="Terms" summary="What you can expect of Fairlead, and what it expects of you.">
      <LegalSection title="What Fairlead does">
        <p>
          Fairlead searches for local businesses, looks up email addresses and contacts for them, checks phone numbers,
          and keeps the results in lists that you can export. It does so with your own accounts at the{' '}
          <Link to="/data-sources">providers</Link>, on your order.
        </p>
      </LegalSection>
      <LegalSection title="Access">
        <ul>
          <li>The operator of this site decides who gets in, and may withdraw access.</li>
          <li>You sign in by a link in your mail. Whoever reads your mail can sign in as you, so keep it safe.</li>
          <li>An account is for one person. What you do with it is your responsibility.</li>
        </ul>
      </LegalSection>
      <LegalSection title="Your keys and what they cost">
        <ul>
          <li>
            Providers bill you directly, at their prices. Fairlead adds nothing, and shows an estimate before each paid
            action.
          </li>
          <li>An estimate is not a bill. What counts is what the provider charges.</li>
          <li>
            Only use keys that are yours, or that you may use. The terms that you have agreed to with each provider
            apply to every call made with your key.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="Calling and writing to people">
        <ul>
          <li>
            <strong>Following the law is your duty.</strong> That includes do-not-call and telemarketing rules, the
            rules for email, and data protection, where you are and where the people are that you contact.
          </li>
          <li>
            A check reports what a provider knew on that day. “Clean” is not a permission to call. Checks older than{' '}
            {VERDICT_DAYS} days count as not checked.
          </li>
          <li>Do not use Fairlead to harass, to deceive, or to build lists for others to do so.</li>
        </ul>
      </LegalSection>
      <LegalSection title="What is kept, and what goes">
        <ul>
          <li>
            A list is archived {RETENTION_DAYS} days after it was made or restored, and deleted {RETENTION_DAYS} days
            after it was archived. A mail comes {DELETION_WARNING_DAYS} days before. Export what you need.
          </li>
          <li>
            You can download everything and delete your account at any time, under <Link to="/account">Account</Link>.
            The <Link to="/privacy">privacy page</Link> has the details.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="No guarantee">
        <p>
          Data about businesses is often incomplete, outdated or wrong, and providers can fail. Fairlead passes on what
          they answer and does not vouch for it. Check what matters before you rely on it.
        </p>
      </LegalSection>
    </LegalPage>
  );
}

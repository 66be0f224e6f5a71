import { Link } from 'react-router';
import { DELETION_WARNING_DAYS, RETENTION_DAYS, VERDICT_DAYS } from '#contract/work/retention.ts';
import { LegalPage, LegalSection } from './legal-page.tsx';

export function TermsPage() {
  return (
    <LegalPage title="Terms" summary="What you can expect of Fairlead, and what it expects of you.">
      <LegalSection title="What Fairlead does">
        <p>
          Fairlead searches for local businesses, looks up email addresses and contacts for them, checks phone numbers,
          and keeps the results in lists that you can export. It uses your own accounts with the{' '}
          <Link to="/data-sources">providers</Link>, and only when you start the work.
        </p>
      </LegalSection>
      <LegalSection title="Access">
        <ul>
          <li>The operator of this site decides who has access, and can withdraw it.</li>
          <li>You sign in with an emailed link. Anyone who reads your email can sign in as you, so keep it safe.</li>
          <li>An account is for one person. What you do with it is your responsibility.</li>
        </ul>
      </LegalSection>
      <LegalSection title="Your keys and what they cost">
        <ul>
          <li>
            Providers bill you directly, at their prices. Fairlead adds no charge, and shows an estimate before each
            paid action.
          </li>
          <li>An estimate is not a bill. What counts is what the provider charges.</li>
          <li>
            Only use keys that are yours, or that you have permission to use. Your agreement with each provider applies
            to every call made with your key.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="Calling and writing to people">
        <ul>
          <li>
            <strong>You must follow the law.</strong> That includes the rules on do-not-call, telemarketing, email and
            data protection, both where you are and where the people you contact are.
          </li>
          <li>
            A check reports what a provider knew on that day. “Clean” does not mean that you may call. Checks older than{' '}
            {VERDICT_DAYS} days count as not checked.
          </li>
          <li>Do not use Fairlead to harass or deceive people, or to build lists for others who do.</li>
        </ul>
      </LegalSection>
      <LegalSection title="What is kept, and what is deleted">
        <ul>
          <li>
            A list is archived {RETENTION_DAYS} days after it was made or restored, and deleted {RETENTION_DAYS} days
            after it was archived. We email you {DELETION_WARNING_DAYS} days before that. Export what you need.
          </li>
          <li>
            You can download everything and delete your account at any time, on the <Link to="/account">Account</Link>{' '}
            page. The <Link to="/privacy">privacy page</Link> has the details.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="No guarantee">
        <p>
          Data about businesses is often incomplete, outdated or wrong, and providers can fail. Fairlead passes on their
          results and does not guarantee them. Check what matters before you rely on it.
        </p>
      </LegalSection>
    </LegalPage>
  );
}

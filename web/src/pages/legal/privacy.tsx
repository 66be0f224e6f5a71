import { Link } from 'react-router';
import {
  AUDIT_DAYS,
  COORDINATES_DAYS,
  DELETION_WARNING_DAYS,
  EMAILS_DAYS,
  REFUSAL_DAYS,
  RETENTION_DAYS,
  VERDICT_DAYS,
} from '#contract/work/retention.ts';
import { LegalPage, LegalSection } from './legal-page.tsx';

export function PrivacyPage() {
  return (
    <LegalPage
      title="Privacy"
      summary="What we store, for how long, and who can see it. We do not track you, show ads or sell data."
    >
      <LegalSection title="About you">
        <ul>
          <li>
            <strong>Your profile:</strong> email address, role, status and the time of your last sign-in. We keep it
            until the account is deleted.
          </li>
          <li>
            <strong>Accounts you link,</strong> such as a Google account that you sign in with: its ID, email address,
            name and picture address, until you unlink it.
          </li>
          <li>
            <strong>Your sessions:</strong> when each began, the browser’s name and its IP address, until you sign out.
          </li>
          <li>
            <strong>Your provider keys:</strong> encrypted. No one, including you, is ever shown more than the last four
            characters.
          </li>
          <li>
            <strong>Your runs and paid calls:</strong> what was requested, when, and what it cost, until the account is
            deleted. They outlive their list, because they explain your bills.
          </li>
          <li>
            <strong>Attempts to sign in:</strong> counted for at most a day, under a fingerprint of the address, to stop
            people from guessing codes.
          </li>
          <li>
            <strong>An audit log for administrators</strong> that cannot be changed: sign-ins and sign-outs, provider
            keys saved or removed (last four characters), downloads of your data, and what administrators do. Each line
            has the account’s ID and IP address. Lines about administrators also have their email address. Lines are
            deleted after {AUDIT_DAYS} days, including those of deleted accounts.
          </li>
          <li>
            <strong>Refused sign-ins:</strong> the email address that was typed, the reason and the IP address, for{' '}
            {REFUSAL_DAYS} days. Administrators use them to help someone who was refused by mistake.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="About the businesses you find">
        <ul>
          <li>
            <strong>Lists and leads:</strong> an active list is archived after {RETENTION_DAYS} days, and deleted after{' '}
            {RETENTION_DAYS} more. We email you {DELETION_WARNING_DAYS} days before the deletion. If that email is late,
            the deletion is too. Restoring a list starts the time again.
          </li>
          <li>
            <strong>Coordinates from Google:</strong> removed after {COORDINATES_DAYS} days. Google’s place IDs stay
            with their leads.
          </li>
          <li>
            <strong>Results from providers,</strong> remembered so that you do not pay twice: emails and contacts for{' '}
            {EMAILS_DAYS} days, phone checks for {VERDICT_DAYS} days, located places for {COORDINATES_DAYS} days. A
            number on a litigator list is remembered until your account is deleted.
          </li>
        </ul>
        <p>
          Is your own data in someone’s list? <Link to="/data-sources">See where it came from</Link>. To have it
          removed, contact us through the link below.
        </p>
      </LegalSection>
      <LegalSection title="Where it is, and who sees it">
        <ul>
          <li>
            Everything is in one database that this site’s operator runs. The operator could read what is not encrypted
            there, but Fairlead has no page for that.
          </li>
          <li>
            Only you can see your lists, leads, runs and keys. The database itself refuses them to other users,
            including this site’s administrators. Administrators see your address, role, status, last sign-in and
            whether the CRM grants you access.
          </li>
          <li>The server’s log holds the path and duration of each request, but not its content.</li>
        </ul>
      </LegalSection>
      <LegalSection title="What leaves the server">
        <ul>
          <li>
            To the providers, with your key and only when you start work: search words and place (Google), website
            addresses (Hunter), phone numbers (SearchBug).
          </li>
          <li>To the email service: your address and our emails to you.</li>
          <li>To the operator’s CRM, if one is connected: your email address, to decide whether you can sign in.</li>
          <li>To YouTube or Vimeo, when you open a training video: what any visitor sends them.</li>
        </ul>
      </LegalSection>
      <LegalSection title="What your browser keeps">
        <p>
          Your session, your theme and shortcut settings, the state of the sidebar (a cookie, for 7 days), the training
          videos, and the columns you chose. It also keeps which lists are being worked on, where to go after a sign-in,
          and when it last asked the server to clean up. If your session ends while you fill in a form, your browser
          keeps what you typed for an hour, for you only. It never keeps keys or secrets that way. None of this follows
          you to other sites.
        </p>
      </LegalSection>
      <LegalSection title="Downloading and deleting your data">
        <p>
          On the <Link to="/account">Account</Link> page you can download everything as one file, and delete your
          account with everything in it. Deletion is immediate. Copies in the operator’s backups disappear when those
          expire.
        </p>
      </LegalSection>
    </LegalPage>
  );
}

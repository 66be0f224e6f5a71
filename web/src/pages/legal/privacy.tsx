import { Link } from 'react-router';
import {
  AUDIT_DAYS,
  COORDINATES_DAYS,
  DELETION_WARNING_DAYS,
  EMAILS_DAYS,
  REFUSAL_DAYS,
  RETENTION_DAYS,
  VERDICT_DAYS,
} from '#contract/retention.ts';
import { LegalPage, LegalSection } from './legal-page.tsx';

export function PrivacyPage() {
  return (
    <LegalPage
      title="Privacy"
      summary="What is stored, for how long, and who can see it. No tracking, no advertising, nothing is sold."
    >
      <LegalSection title="About you">
        <ul>
          <li>
            <strong>Your profile:</strong> email address, role, status and the time of your last sign-in, until the
            account is deleted.
          </li>
          <li>
            <strong>What you link:</strong> of an account elsewhere, such as Google’s, by which you sign in: its number
            there, address, name and the address of its picture, until you unlink it.
          </li>
          <li>
            <strong>Your sessions:</strong> when each began, its browser’s name and network address, until you sign out.
          </li>
          <li>
            <strong>Your provider keys:</strong> encrypted. Only the last four characters are ever shown, to you as
            well.
          </li>
          <li>
            <strong>Your runs and paid calls:</strong> what was asked, when, and what it cost, until the account is
            deleted. They outlive their list, because they explain your bills.
          </li>
          <li>
            <strong>Attempts to sign in:</strong> counted for a day at most under a fingerprint of the address, to keep
            guessers out.
          </li>
          <li>
            <strong>A log for administrators</strong> that cannot be changed: sign-ins and sign-outs, provider keys
            saved or removed (last four characters), downloads of your data, and what administrators do; each with the
            account’s number and network address, and for administrators with their email address. Lines are deleted
            after {AUDIT_DAYS} days, including those of deleted accounts.
          </li>
          <li>
            <strong>Refused sign-ins:</strong> the email address that was typed, the reason and the network address, for{' '}
            {REFUSAL_DAYS} days, so that administrators can help someone who was refused by mistake.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="About the businesses you find">
        <ul>
          <li>
            <strong>Lists and leads:</strong> an active list is archived after {RETENTION_DAYS} days, an archived one is
            deleted after {RETENTION_DAYS} more. A mail announces it {DELETION_WARNING_DAYS} days before; if that mail
            was late, so is the deletion. Restoring a list starts the clock again.
          </li>
          <li>
            <strong>Coordinates from Google:</strong> removed after {COORDINATES_DAYS} days. Google’s identifiers of
            places stay with their leads.
          </li>
          <li>
            <strong>Answers of providers,</strong> remembered so that you do not pay twice: emails and contacts for{' '}
            {EMAILS_DAYS} days, phone checks for {VERDICT_DAYS} days, located places for {COORDINATES_DAYS} days. A
            number on a litigator list is remembered until your account is deleted.
          </li>
        </ul>
        <p>
          If your own data is in someone’s list and you want it out,{' '}
          <Link to="/data-sources">this is where it came from</Link>; write to us by the link below.
        </p>
      </LegalSection>
      <LegalSection title="Where it is, and who sees it">
        <ul>
          <li>
            Everything is in one database of this site’s operator. The operator can technically read what is not
            encrypted there; Fairlead has no page for it.
          </li>
          <li>
            Your lists, leads, runs and keys are yours alone: the database itself refuses them to other people,
            administrators of this site included. Administrators see your address, role, status, last sign-in and
            whether the CRM lets you in.
          </li>
          <li>The server’s log holds the path and the duration of requests, and no content.</li>
        </ul>
      </LegalSection>
      <LegalSection title="What leaves the server">
        <ul>
          <li>
            To the providers, with your key and only when you start something: search words and place (Google), website
            addresses (Hunter), phone numbers (SearchBug).
          </li>
          <li>To the mail service: your address and our mails to you.</li>
          <li>To the operator’s CRM, where one is connected: your email address, to decide whether you may sign in.</li>
          <li>To YouTube or Vimeo, when you open a training video: what any visitor sends them.</li>
        </ul>
      </LegalSection>
      <LegalSection title="What your browser keeps">
        <p>
          Your session, theme, shortcuts switched off, the state of the sidebar (a cookie, for 7 days), the training
          videos, which columns you chose, which lists are being worked on, where to go after a sign-in, and when it
          last asked for tidying up. When your session ends while you fill in a form, it keeps what you typed for an
          hour, for you alone, and never keys or secrets. Nothing of it follows you to other sites.
        </p>
      </LegalSection>
      <LegalSection title="Taking it with you, and ending it">
        <p>
          Under <Link to="/account">Account</Link> you can download everything as one file, and delete the account with
          everything in it. Deletion is immediate; copies in the operator’s backups go when those expire.
        </p>
      </LegalSection>
    </LegalPage>
  );
}

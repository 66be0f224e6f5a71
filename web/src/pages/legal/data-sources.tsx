import { COORDINATES_DAYS, VERDICT_DAYS } from '#contract/retention.ts';
import { LegalPage, LegalSection, Outside } from './legal-page.tsx';

export function DataSourcesPage() {
  return (
    <LegalPage
      title="Data sources"
      summary="Where leads come from, and what you may do with them. Each source is used with your own key, under its own terms."
    >
      <LegalSection title="Google Maps: names, addresses, phones, websites">
        <p>
          Searches use the Places API of Google Maps Platform. Business information in your lists is{' '}
          <strong>from Google Maps</strong> unless another source is named here.
        </p>
        <ul>
          <li>
            The <Outside href="https://cloud.google.com/maps-platform/terms">Google Maps Platform terms</Outside> and
            the <Outside href="https://cloud.google.com/maps-platform/terms/maps-service-terms">service terms</Outside>{' '}
            apply to what your key fetches, as do the{' '}
            <Outside href="https://www.google.com/help/terms_maps/">Google Maps end-user terms</Outside> and{' '}
            <Outside href="https://policies.google.com/privacy">Google’s privacy policy</Outside>.
          </li>
          <li>
            Google permits keeping the identifiers of places for good and coordinates for {COORDINATES_DAYS} days.
            Fairlead removes coordinates after that time.
          </li>
          <li>
            <strong>
              Google’s terms forbid keeping and copying its other content, such as names and addresses, outside its
              services.
            </strong>{' '}
            Fairlead stores it for you only as long as your list lives. Whether you may keep, export or use it is
            between you and Google: read its terms, and get its permission or your own advice, before you do.
          </li>
          <li>
            <strong>An exported file is yours to answer for:</strong> what is in it, how long you keep it, whom you pass
            it to, and that “Google Maps” is named as its source wherever you show it.
          </li>
          <li>With a billing address in the European Economic Area, other terms of Google apply to you.</li>
        </ul>
      </LegalSection>
      <LegalSection title="Hunter: email addresses and contacts">
        <p>
          Hunter collects business addresses from public web pages and rates how sure it is of each. Its{' '}
          <Outside href="https://hunter.io/terms-of-service">terms</Outside> apply. An address is no consent to be
          written to; where the law asks for one, you need it.
        </p>
      </LegalSection>
      <LegalSection title="SearchBug: do-not-call, consent and litigator lists">
        <ul>
          <li>
            SearchBug compares US numbers with do-not-call registries and lists of known litigators. Its{' '}
            <Outside href="https://www.searchbug.com/">terms</Outside> apply.
          </li>
          <li>
            <strong>Obeying do-not-call law is your duty,</strong> with or without a check: registering where you must,
            keeping your own list of people who said no, and calling only when you may.
          </li>
          <li>
            A result is good for {VERDICT_DAYS} days at most, as US rules require. After that a number counts as not
            checked, here and in exports. A number that could not be checked is never shown as clean.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="Sandbox data">
        <p>
          Lists with the badge “Sandbox data” were made with a sandbox key. What is in them comes from a simulator and
          is meant for trying things out.
        </p>
      </LegalSection>
    </LegalPage>
  );
}

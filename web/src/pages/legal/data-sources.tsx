import { COORDINATES_DAYS, VERDICT_DAYS } from '#contract/work/retention.ts';
import { LegalPage, LegalSection, Outside } from './legal-page.tsx';

export function DataSourcesPage() {
  return (
    <LegalPage
      title="Data sources"
      summary="Where leads come from, and what you may do with them. You use each source with your own key, under its terms."
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
            Google allows place IDs to be kept permanently, and coordinates for {COORDINATES_DAYS} days. Fairlead then
            removes the coordinates.
          </li>
          <li>
            <strong>
              Google’s terms forbid storing or copying its other content, such as names and addresses, outside its
              services.
            </strong>{' '}
            Fairlead stores it only as long as you have the list. Whether you may keep, export or use it is between you
            and Google. Before you do, read Google’s terms, and get its permission or legal advice.
          </li>
          <li>
            <strong>You are responsible for the files you export:</strong> what they contain, how long you keep them,
            and who you share them with. Wherever you show them, name “Google Maps” as the source.
          </li>
          <li>If your billing address is in the European Economic Area, different Google terms apply to you.</li>
        </ul>
      </LegalSection>
      <LegalSection title="Hunter: email addresses and contacts">
        <p>
          Hunter collects business email addresses from public web pages and gives each a confidence score. Its{' '}
          <Outside href="https://hunter.io/terms-of-service">terms</Outside> apply. Having an address does not mean that
          its owner agreed to be emailed. Where the law requires consent, you must get it.
        </p>
      </LegalSection>
      <LegalSection title="SearchBug: do-not-call, consent and litigator lists">
        <ul>
          <li>
            SearchBug compares US numbers with do-not-call registries and lists of known litigators. Its{' '}
            <Outside href="https://www.searchbug.com/">terms</Outside> apply.
          </li>
          <li>
            <strong>You must obey do-not-call law,</strong> with or without a check. Register where you have to, keep
            your own list of people who said no, and call only at permitted times.
          </li>
          <li>
            A result is valid for at most {VERDICT_DAYS} days, as US rules require. After that, a number counts as not
            checked, here and in exports. A number that could not be checked is never shown as clean.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="US Census Bureau: states and counties">
        <p>
          Maps and areas use the boundaries of the US Census Bureau, which are in the public domain. They come with
          Fairlead, so a map contacts no one else. It shows areas and counts, and never where a business is.
        </p>
      </LegalSection>
      <LegalSection title="Sandbox data">
        <p>
          Lists with the badge “Sandbox data” were made with a sandbox key. Their contents come from a simulator, so
          that you can try things out.
        </p>
      </LegalSection>
    </LegalPage>
  );
}

import type { ImportField } from '#contract/imports/fields.ts';
import { isOfLeave, isOfNoCalls } from '#contract/imports/no-calls.ts';
import { plainHeader } from '#server/features/imports/values/plain-header.ts';

type Guessed = Exclude<ImportField, 'extra' | 'skip'>;

/** Whole headers, in lower case and without punctuation, in the languages that lists come in. */
const WHOLE: Readonly<Record<Guessed, string>> = {
  business_name:
    'business name|business|company|company name|company account|associated company|primary associated company|companyname|name|title|organization|organisation|organization name|account|account name|account title|firm|firm name|firma|firmenname|unternehmen|store|store name|shop|shop name|dba|doing business as|legal name|trade name|client|client name|customer|customer name|practice|practice name|clinic|restaurant|vendor|lead|lead name|place name|place|listing|listing name|employer|empresa|nombre|nombre de la empresa|negocio|razon social|entreprise|societe|nom|nom de l entreprise|raison sociale|nome|azienda|bedrijf|bedrijfsnaam|biz|biz name|entity|entity name|merchant|brand|facility|facility name|establishment|display name',
  phone:
    'phone|phone number|phone no|phonenumber|telephone|telephone number|tel|tel no|telno|ph|mobile|mobile number|mobile phone|mobilephone|cell|cell phone|cellphone|main phone|primary phone|business phone|office phone|work phone|company phone|contact number|contact no|contact phone|number|phone 1|phone1|direct|direct phone|direct dial|landline|call|telefon|telefonnummer|rufnummer|handy|telefono|numero de telefono|movil|celular|telephone fixe|numero de telephone|portable|telefoon|telefoonnummer|national phone number|international phone number|formatted phone number|dial',
  email:
    'email|e mail|email address|e mail address|emailaddress|mail|contact email|business email|work email|primary email|company email|email 1|email1|emails|correo|correo electronico|courriel|adresse email|adresse e mail|emailadresse|e mail adresse|posta|e mailadres',
  website:
    'website|web site|url|web|web address|webaddress|website url|site|homepage|home page|domain|domain name|company url|company website|company domain|www|link|internet|webseite|internetseite|sitio web|pagina web|site web|site internet|sito|sito web|website uri|business website|root domain',
  address:
    'address|full address|fulladdress|formatted address|formattedaddress|business address|company address|mailing address|location address|complete address|location|adresse|direccion|direccion completa|anschrift|indirizzo|adres|postal address|physical address|where',
  street:
    'street|street address|streetaddress|street 1|address 1|address1|address line 1|addressline1|addr|addr1|address line|line 1|strasse|calle|rue|via|straat|thoroughfare|mailing street|billing street|primary street|address street|physical street',
  city: 'city|town|city name|municipality|locality|ort|stadt|ciudad|ville|citta|plaats|city town|mailing city|billing city|address city|city of',
  state:
    'state|st|province|region|state province|state code|state abbr|state abbreviation|us state|bundesland|estado|provincia|etat|mailing state|billing state|address state|state or province|administrative area',
  zip: 'zip|zip code|zipcode|zip 5|zip5|postal|postal code|postalcode|postcode|post code|plz|postleitzahl|codigo postal|cp|code postal|cap|zip postal code|mailing zip|billing zip|address zip|zip postal|postal zip',
  country: 'country|country code|nation|land|pais|pays|paese|country name',
  owner_name:
    'owner|owner name|contact|contact name|full name|fullname|person|contact person|decision maker|principal|proprietor|manager|manager name|ansprechpartner|inhaber|contacto|dueno|propietario|nom du contact|proprietaire|key contact|primary contact|ceo|founder|president|owner s name|name of owner|poc|point of contact|executive',
  first_name:
    'first name|firstname|first|given name|forename|fname|vorname|nombre de pila|prenom|owner first name|contact first name|contact first',
  last_name:
    'last name|lastname|last|surname|family name|lname|nachname|apellido|apellidos|nom de famille|owner last name|contact last name|contact last',
  owner_title:
    'job title|jobtitle|position|role|owner title|contact title|person title|job position|designation|titel|cargo|puesto|poste|fonction|job role|title of contact',
};

const BY_HEADER = new Map<string, Guessed>(
  Object.entries(WHOLE).flatMap(([field, headers]) => headers.split('|').map((header) => [header, field as Guessed])),
);

/** Words within a longer header, the telling ones first. */
const PARTS: readonly (readonly [RegExp, Guessed | 'extra'])[] = [
  [
    /\b(?:fax|telefax|pager|telex|tty|tdd|asst|assistant|opt(?:ed)? (?:in|out)|dnc|do not call|bounced)\b|\bfor emails?\b/,
    'extra',
  ],
  // Pictures and pages of others.
  [
    /\b(?:image|img|photo|picture|logo|thumb(?:nail)?|avatar|icon|banner|maps?|review|menu|booking|reservation|order)s?\b.*\b(?:urls?|uris?|links?)\b/,
    'extra',
  ],
  [/\bemail \d (?:full name|first name|last name|title|phone)\b/, 'extra'],
  // People who work with a record, and not for the business.
  [/\b(?:lead|account|contact|record|deal|opportunity|organi[sz]ation|person|prospect|hubspot|crm) owner\b/, 'extra'],
  [
    /\b(?:created|modified|updated|assigned|added) (?:by|to)\b|\b(?:sales ?(?:person|rep)|account manager|reports to)\b/,
    'extra',
  ],
  [
    /\b(?:type|labels?|status|verified|confidence|valid|count|date|source|category|score|rating|reviews?|notes?|comments?|id|lat|lng|latitude|longitude)\b/,
    'extra',
  ],
  [/\b(?:linkedin|facebook|instagram|twitter|youtube|tiktok|yelp|social)\b/, 'extra'],
  [/\be ?mails?\b/, 'email'],
  [/\b(?:phones?|telephone|telefon|mobile|cell)\b/, 'phone'],
  [/\b(?:website|web|url|domain|homepage)\b/, 'website'],
  [/\bfirst ?name\b/, 'first_name'],
  [/\b(?:last ?name|surname)\b/, 'last_name'],
  [/\b(?:job|contact|owner|organi[sz]ation).*\btitle\b/, 'owner_title'],
  [/\b(?:zip|postal|postcode)\b/, 'zip'],
  [/\bcity\b/, 'city'],
  [/\bstate\b|\baddress\b.*\bregion\b/, 'state'],
  [/\bcountry\b/, 'country'],
  [/\bstreet\b/, 'street'],
  [/\baddress\b/, 'address'],
  [/\b(?:owner|contact|manager|person)\b.*\bname\b|\bowner$/, 'owner_name'],
  [
    /\b(?:business|company|organization|organisation|firm|account|store|practice|customer|client)\b.*\bname\b/,
    'business_name',
  ],
];

/** In characters. What is longer is no header, and must not be searched as one. */
const LONGEST = 400;

/** What a header says of its column. `sure`: it is one that people use for that alone. */
export function fieldOfHeader(header: string): { field: Guessed | 'extra'; sure: boolean } | undefined {
  if (header.length > LONGEST) return undefined;
  const plain = plainHeader(header);
  const whole = BY_HEADER.get(plain) ?? BY_HEADER.get(plain.replaceAll(' ', ''));
  if (whole) return { field: whole, sure: true };
  if (isOfNoCalls(header) || isOfLeave(header)) return { field: 'extra', sure: false };
  const part = PARTS.find(([pattern]) => pattern.test(plain));
  return part ? { field: part[1], sure: false } : undefined;
}

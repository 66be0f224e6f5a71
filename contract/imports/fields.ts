/**
 * What a column of a file can hold. Parts of an address become one address, and the names of a person one name.
 * - `extra`: kept with the lead as it is, shown and exported.
 * - `skip`: left out.
 */
export const IMPORT_FIELDS = [
  'business_name',
  'phone',
  'email',
  'website',
  'address',
  'street',
  'city',
  'state',
  'zip',
  'country',
  'owner_name',
  'first_name',
  'last_name',
  'owner_title',
  'extra',
  'skip',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** What an imported row says of a lead, by the lead's columns. */
export const LEAD_FIELDS = [
  'business_name',
  'phone',
  'email',
  'website',
  'address',
  'owner_name',
  'owner_title',
] as const;
export type LeadField = (typeof LEAD_FIELDS)[number];

/** How each field is called on screen, in the order in which people look for it. */
export const FIELD_LABELS: Readonly<Record<ImportField, string>> = {
  business_name: 'Business name',
  phone: 'Phone',
  email: 'Email',
  website: 'Website',
  address: 'Address',
  street: 'Street',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  country: 'Country',
  owner_name: 'Owner name',
  first_name: 'First name',
  last_name: 'Last name',
  owner_title: 'Title',
  extra: 'Extra column',
  skip: 'Leave out',
};

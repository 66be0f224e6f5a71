import type { Insertable } from 'kysely';
import type { DB } from '#db/types.gen.ts';
import { wirePlace } from '#providers/google-places/api-types.ts';
import { toPlace } from '#providers/google-places/map.ts';
import { wireEmail } from '#providers/hunter/api-types.ts';
import { toContact } from '#providers/hunter/map.ts';
import type { Place } from '#providers/provider.ts';
import { inventedBusinesses } from '#sandbox/businesses/invented-businesses.ts';
import { towns } from '#sandbox/geography/towns.ts';
import { businessOnWire } from '#sandbox/google/google-place.ts';
import { contactsOf } from '#sandbox/hunter/hunter-people.ts';
import { readPhone } from '#server/calling/us-number.ts';
import { chooseEmail, chooseOwner } from '#server/features/enrichment/choose-contacts.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';

export type SeedLead = Omit<Insertable<DB['leads']>, 'list_id' | 'position'>;

/** The businesses that a search of the sandbox would bring, at most `count`. */
export function foundLeads(category: string, town: string, state: string, count: number): SeedLead[] {
  const place = towns().byName(town, state);
  if (!place) throw new Error(`${town}, ${state} is not a town.`);
  return inventedBusinesses(category, place)
    .map((business) => toPlace(wirePlace.parse(businessOnWire(business))))
    .filter((business) => !business.closedPermanently)
    .slice(0, count)
    .map(toLead);
}

function toLead(place: Place): SeedLead {
  return {
    business_name: place.name,
    address: place.address ?? null,
    phone: place.phone ?? null,
    website: place.website ?? null,
    place_id: place.id,
    latitude: place.latitude ?? null,
    longitude: place.longitude ?? null,
    service_area: place.serviceArea,
  };
}

/** The lead with what the sandbox's Hunter knows about its domain. */
export function withContacts(lead: SeedLead): SeedLead {
  const found = websiteDomain(lead.website ?? null);
  if (found.kind !== 'own') return lead;
  const contacts = contactsOf(found.domain).flatMap((wire) => toContact(wireEmail.parse(wire)) ?? []);
  const email = chooseEmail(contacts);
  const owner = chooseOwner(contacts);
  return {
    ...lead,
    ...(email ? { email: email.email, email_confidence: email.confidence, email_verified: email.verified } : {}),
    ...(owner ? { owner_name: owner.name, owner_title: owner.title } : {}),
  };
}

/** The lead after a check of its number: most are clean. */
export function withVerdict(lead: SeedLead, checkedAt: Date): SeedLead {
  const phone = readPhone(lead.phone ?? null);
  if (phone.kind === 'none') return { ...lead, compliance_reason: 'No phone number' };
  if (phone.kind === 'foreign') return { ...lead, compliance_reason: 'Not a US number' };
  const last = Number(phone.number.slice(-2));
  const status = last < 74 ? 'safe' : last < 94 ? 'dnc' : 'litigator';
  const phoneType = (['mobile', 'landline', 'voip'] as const)[last % 3] ?? 'landline';
  return { ...lead, compliance_status: status, compliance_checked_at: checkedAt, phone_type: phoneType };
}

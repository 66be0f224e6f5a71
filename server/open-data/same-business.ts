import { metersBetween } from '#providers/geo.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';
import { samePlace } from './same-place.ts';
import { spell } from './terms.ts';

/** How far apart the same business may stand in two sources, in meters. */
export const NEAR = 150;
/** The same where it has the same phone and nothing else in common: firms share numbers, and numbers change hands. */
const NEAR_BY_PHONE = 2_000;
/** How much of two names must be the same words. */
const ALIKE = 0.6;

/** What one source says of a business. `phoneKey`: its phone as app.phone_key spells it. */
export type Business = {
  name: string;
  phoneKey: string | null;
  website?: string | null | undefined;
  address?: string | null | undefined;
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
};
export type Reason = 'phone' | 'domain' | 'name_and_distance';

/** Why two sources mean the same business, or undefined where they do not. */
export function sameBusiness(one: Business, other: Business): Reason | undefined {
  const [here, there] = [pointOf(one), pointOf(other)];
  const apart = here && there ? metersBetween(here, there) : undefined;
  const isAlike = alike(one.name, other.name) >= ALIKE;
  const hasDomain = sameDomain(one.website, other.website);
  if (one.phoneKey !== null && one.phoneKey === other.phoneKey) {
    const isNear = apart === undefined ? samePlace(one.address, other.address) : apart <= NEAR_BY_PHONE;
    if (isNear || isAlike || hasDomain) return 'phone';
  }
  if (apart === undefined || apart > NEAR) return undefined;
  // A chain has one domain for all its places, so that only those that stand here are the same.
  if (hasDomain) return 'domain';
  return isAlike ? 'name_and_distance' : undefined;
}

/** Two that may be the same business. */
type Pair = { one: Business; other: Business };

/** Which of two pairs is the surer one where both have the same reason: that with more alike names, then the nearer. Sorts it first. */
export const compareNearness = (a: Pair, b: Pair): number => compareAlikeness(a, b) || distanceOf(a) - distanceOf(b);

/** In which of two pairs the names are more alike. Sorts it first. */
export const compareAlikeness = (a: Pair, b: Pair): number =>
  alike(b.one.name, b.other.name) - alike(a.one.name, a.other.name);

function distanceOf({ one, other }: Pair): number {
  const [here, there] = [pointOf(one), pointOf(other)];
  return here && there ? metersBetween(here, there) : Number.MAX_VALUE;
}

function pointOf({ latitude, longitude }: Business): { latitude: number; longitude: number } | undefined {
  return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;
}

/** Whether two websites stand on the same domain, which is no host of many. */
export function sameDomain(one: string | null | undefined, other: string | null | undefined): boolean {
  const [domain, another] = [websiteDomain(one ?? null), websiteDomain(other ?? null)];
  return domain.kind === 'own' && another.kind === 'own' && domain.domain === another.domain;
}

/** The part of all words of two names that both have. */
function alike(one: string, other: string): number {
  const [a, b] = [new Set(spell(one).split(' ')), new Set(spell(other).split(' '))];
  const both = [...a].filter((word) => b.has(word)).length;
  return both / (a.size + b.size - both);
}

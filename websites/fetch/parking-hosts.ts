import { registrable } from '#websites/extract/email-address.ts';

/** Hosts at which domains without a website are parked or offered for sale, as of 2026-11-26. Subdomains count too. */
const PARKING = new Set(
  `hugedomains.com sedo.com sedo.de sedoparking.com dan.com undeveloped.com afternic.com bodis.com parkingcrew.net parkingcrew.com
  above.com uniregistry.com buydomains.com domainmarket.com brandbucket.com squadhelp.com atom.com brandpa.com epik.com
  flippa.com domainnamesales.com namejet.com snapnames.com dropcatch.com domainagents.com efty.com saw.com spaceship.com
  namebright.com parklogic.com skenzo.com smartname.com cashparking.com domainsponsor.com
  perfectdomain.com perfectname.com park.io parking.namesilo.com domainhasexpired.com expireddomains.com
  register.com networksolutions.com namecheap.com godaddy.com secureserver.net parkeddomain.com parked.com`.split(
    /\s+/,
  ),
);

/** Whether a host shows pages of domains that no firm uses. */
export const isParking = (host: string): boolean => PARKING.has(registrable(host)) || PARKING.has(host);

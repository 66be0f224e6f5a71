import { hashOf } from '#sandbox/businesses/random.ts';
import { distanceMeters } from './points.ts';
import { type Town, towns } from './towns.ts';

/** Area codes per state: enough to tell regions apart, not all that exist. */
const byState: Readonly<Record<string, string>> = {
  AL: '205 251 256 334',
  AK: '907',
  AZ: '480 520 602 623 928',
  AR: '479 501 870',
  CA: '209 213 310 408 415 510 530 559 619 626 661 707 714 760 805 818 831 909 916 925 949',
  CO: '303 719 720 970',
  CT: '203 860',
  DE: '302',
  DC: '202',
  FL: '239 305 321 352 386 407 561 727 813 850 904 941 954',
  GA: '229 404 478 678 706 770 912',
  HI: '808',
  ID: '208',
  IL: '217 309 312 618 630 708 773 815 847',
  IN: '219 260 317 574 765 812',
  IA: '319 515 563 641 712',
  KS: '316 620 785 913',
  KY: '270 502 606 859',
  LA: '225 318 337 504 985',
  ME: '207',
  MD: '240 301 410 443',
  MA: '413 508 617 781 978',
  MI: '231 248 269 313 517 586 616 734 810 906 989',
  MN: '218 320 507 612 651 763 952',
  MS: '228 601 662',
  MO: '314 417 573 636 660 816',
  MT: '406',
  NE: '308 402',
  NV: '702 775',
  NH: '603',
  NJ: '201 609 732 856 908 973',
  NM: '505 575',
  NY: '212 315 516 518 585 607 631 716 718 845 914',
  NC: '252 336 704 828 910 919',
  ND: '701',
  OH: '216 330 419 440 513 614 740 937',
  OK: '405 580 918',
  OR: '503 541 971',
  PA: '215 412 484 570 610 717 724 814',
  PR: '787 939',
  RI: '401',
  SC: '803 843 864',
  SD: '605',
  TN: '423 615 731 865 901 931',
  TX: '210 214 254 281 325 361 409 432 512 713 806 817 830 903 915 936 940 956 972 979',
  UT: '435 801',
  VT: '802',
  VA: '276 434 540 571 703 757 804',
  WA: '206 253 360 425 509',
  WV: '304',
  WI: '262 414 608 715 920',
  WY: '307',
};

/** Towns whose area code would otherwise be a guess and that people try first. */
const byTown: Readonly<Record<string, string>> = {
  'Austin|TX': '512',
  'Houston|TX': '713',
  'Dallas|TX': '214',
  'San Antonio|TX': '210',
  'Fort Worth|TX': '817',
  'El Paso|TX': '915',
  'Springfield|IL': '217',
  'Chicago|IL': '312',
  'Peoria|IL': '309',
  'New York|NY': '212',
  'Brooklyn|NY': '718',
  'Buffalo|NY': '716',
  'Albany|NY': '518',
  'Rochester|NY': '585',
  'Los Angeles|CA': '213',
  'San Diego|CA': '619',
  'San Francisco|CA': '415',
  'San Jose|CA': '408',
  'Sacramento|CA': '916',
  'Fresno|CA': '559',
  'Oakland|CA': '510',
  'Miami|FL': '305',
  'Orlando|FL': '407',
  'Tampa|FL': '813',
  'Jacksonville|FL': '904',
  'Tallahassee|FL': '850',
  'Atlanta|GA': '404',
  'Savannah|GA': '912',
  'Boston|MA': '617',
  'Springfield|MA': '413',
  'Worcester|MA': '508',
  'Philadelphia|PA': '215',
  'Pittsburgh|PA': '412',
  'Detroit|MI': '313',
  'Grand Rapids|MI': '616',
  'Columbus|OH': '614',
  'Cleveland|OH': '216',
  'Cincinnati|OH': '513',
  'Springfield|OH': '937',
  'Springfield|MO': '417',
  'Saint Louis|MO': '314',
  'Kansas City|MO': '816',
  'Kansas City|KS': '913',
  'Wichita|KS': '316',
  'Phoenix|AZ': '602',
  'Tucson|AZ': '520',
  'Las Vegas|NV': '702',
  'Reno|NV': '775',
  'Denver|CO': '303',
  'Colorado Springs|CO': '719',
  'Seattle|WA': '206',
  'Spokane|WA': '509',
  'Tacoma|WA': '253',
  'Portland|OR': '503',
  'Eugene|OR': '541',
  'Minneapolis|MN': '612',
  'Saint Paul|MN': '651',
  'Milwaukee|WI': '414',
  'Madison|WI': '608',
  'Nashville|TN': '615',
  'Memphis|TN': '901',
  'Knoxville|TN': '865',
  'Charlotte|NC': '704',
  'Raleigh|NC': '919',
  'Richmond|VA': '804',
  'Norfolk|VA': '757',
  'Baltimore|MD': '410',
  'Indianapolis|IN': '317',
  'Louisville|KY': '502',
  'New Orleans|LA': '504',
  'Oklahoma City|OK': '405',
  'Tulsa|OK': '918',
  'Omaha|NE': '402',
  'Salt Lake City|UT': '801',
  'Albuquerque|NM': '505',
  'Birmingham|AL': '205',
  'Charleston|SC': '843',
  'Des Moines|IA': '515',
};

export const tollFreeCodes = ['800', '888', '877', '866', '855', '844', '833'] as const;

/** How far an area code reaches from a town that is known to have it. */
const reachMeters = 90_000;

/** The area codes of a state; none for one that is not in the table. */
export const areaCodesOfState = (state: string): readonly string[] => byState[state]?.split(' ') ?? [];

/** The area codes to use for a town: its own first, as far as that can be known, then the others of its state. */
export function areaCodes(town: Town): string[] {
  const codes = areaCodesOfState(town.state);
  const own = byTown[`${town.name}|${town.state}`] ?? codeNear(town) ?? codes[hashOf(town.name) % codes.length];
  return own === undefined ? [] : [own, ...codes.filter((code) => code !== own)];
}

/** The towns of the table with their places, looked up once: every invented number asks for them. */
let known: readonly { code: string; town: Town }[] | undefined;

/** The area code of the nearest known town of the same state. */
function codeNear(town: Town): string | undefined {
  known ??= Object.entries(byTown).flatMap(([place, code]) => {
    const [name = '', state] = place.split('|');
    const found = towns().byName(name, state);
    return found ? [{ code, town: found }] : [];
  });
  let nearest: string | undefined;
  let nearestMeters = reachMeters;
  for (const one of known) {
    const meters = one.town.state === town.state ? distanceMeters(one.town, town) : Number.POSITIVE_INFINITY;
    if (meters > nearestMeters) continue;
    nearest = one.code;
    nearestMeters = meters;
  }
  return nearest;
}

const EAST = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const WEST = 'America/Los_Angeles';

const indiana = (...names: string[]) => names.map((name) => `America/Indiana/${name}`);

/** The time zones of each state and territory, by its two letters. */
export const STATE_ZONES: Readonly<Record<string, readonly string[] | undefined>> = {
  ...all('AL AR IA IL LA MN MO MS OK WI', CENTRAL),
  ...all('CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV', EAST),
  ...all('CO MT NM UT WY', MOUNTAIN),
  ...all('CA WA', WEST),
  AK: [
    'America/Anchorage',
    'America/Juneau',
    'America/Sitka',
    'America/Metlakatla',
    'America/Yakutat',
    'America/Nome',
    'America/Adak',
  ],
  // The Navajo Nation has daylight saving time, the rest of Arizona has not.
  AZ: ['America/Phoenix', MOUNTAIN],
  FL: [EAST, CENTRAL],
  HI: ['Pacific/Honolulu'],
  ID: ['America/Boise', WEST],
  IN: [
    ...indiana('Indianapolis', 'Vincennes', 'Winamac', 'Marengo', 'Petersburg', 'Vevay', 'Tell_City', 'Knox'),
    'America/Kentucky/Louisville',
    // Dearborn and Ohio counties always kept the time of Cincinnati.
    EAST,
    CENTRAL,
  ],
  KS: [CENTRAL, MOUNTAIN],
  KY: [EAST, CENTRAL, 'America/Kentucky/Louisville', 'America/Kentucky/Monticello'],
  MI: ['America/Detroit', 'America/Menominee'],
  ND: [
    CENTRAL,
    MOUNTAIN,
    'America/North_Dakota/Center',
    'America/North_Dakota/New_Salem',
    'America/North_Dakota/Beulah',
  ],
  NE: [CENTRAL, MOUNTAIN],
  NV: [WEST, MOUNTAIN, 'America/Boise'],
  OR: [WEST, 'America/Boise'],
  SD: [CENTRAL, MOUNTAIN],
  TN: [EAST, CENTRAL],
  TX: [CENTRAL, MOUNTAIN],
  PR: ['America/Puerto_Rico'],
  VI: ['America/St_Thomas', 'America/Puerto_Rico'],
  GU: ['Pacific/Guam'],
  MP: ['Pacific/Saipan', 'Pacific/Guam'],
  AS: ['Pacific/Pago_Pago'],
};

function all(states: string, zone: string): Record<string, readonly string[]> {
  return Object.fromEntries(states.split(' ').map((state) => [state, [zone]]));
}

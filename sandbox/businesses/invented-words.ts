/** Family names, invented: each a plausible compound that is no usual family name. */
export const familyNames = (
  'Abbersley Barrowick Calderstone Dunmarsh Eastonby Farrowdale Glenhaver Hartspool Inglethorp Jesmondale Kettlewick Larkhollow ' +
  'Marlowick Netherby Oakhollow Pendergate Quillfeather Ravensholt Silverbrook Tanbury Underhay Valewood Wetherstone Yarrowby ' +
  'Ashcombe-Lee Brightwater Copperfell Dovecrest Elderwyn Foxmere Greyhaven Hollowell Ironwick Juniperson Lindenmoor Merriweather-Oak ' +
  'Northvale Orchardson Pinehurst-Ray Rosethorn Stonebridge-Li Thistledown Umberfield Willowmere'
).split(' ');

export const firstNames = (
  'Ada Alma Bennett Bianca Caleb Carmen Dana Delia Elias Esme Felix Fiona Gideon Greta Hollis Ines Jonah June Kai Kira Leo Lena ' +
  'Marco Maya Nico Nora Omar Opal Priya Quinn Rafael Rosa Silas Selma Theo Tessa Uma Victor Wren Yusuf Zoe'
).split(' ');

/** What local firms name themselves after when not after a person. */
export const themes = [
  'Blue Heron',
  'Cedar Ridge',
  'Copper Kettle',
  'Red Barn',
  'Riverbend',
  'Summit',
  'Golden Oak',
  'Lakeside',
  'North Star',
  'Old Mill',
  'Prairie',
  'Silver Fox',
  'Stonegate',
  'Sunrise',
  'Three Pines',
  'Twin Creek',
  'Union Street',
  'Wild Rose',
  'Harbor Light',
  'First Choice',
  'Evergreen',
  'Cornerstone',
  'Liberty',
  'Maple Leaf',
  'Bluebird',
  'High Plains',
  'Millrace',
  'Patchwork',
  'Lantern',
  'Honeybee',
] as const;

export const streets = [
  'Main St',
  'Oak St',
  'Maple Ave',
  'Washington Ave',
  'Elm St',
  'Park Rd',
  'Mill St',
  'Church St',
  'Lincoln Ave',
  'Cedar Ln',
  'Market St',
  'River Rd',
  'Highland Ave',
  'Center St',
  'Union St',
  'Sunset Blvd',
  'Commerce Dr',
  'Industrial Pkwy',
  'Depot St',
  'Vine St',
] as const;

/** Letters and digits only, in lower case, for a domain or handle. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/&/g, 'and')
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 40);
}

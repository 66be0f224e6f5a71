// Makes the files in web/src/fonts from Inter's package: the letters, weights and features that the app uses. To run it again,
// for example after an update of the package: npm install --no-save subset-font@2.9.0 && node scripts/subset-font.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const source = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

/** First and last letter of each range, as `unicode-range` in web/src/styles.css says them. */
const FILES = {
  // English, and the signs of our own texts: what every page has.
  'inter.woff2': [
    [0x20, 0x7e],
    [0xa0, 0xa0],
    [0xa7, 0xa7],
    [0xa9, 0xa9],
    [0xb7, 0xb7],
    [0xd7, 0xd7],
    [0x2010, 0x2014],
    [0x2018, 0x201e],
    [0x2022, 0x2022],
    [0x2026, 0x2026],
    [0x2191, 0x2193],
    [0x2212, 0x2212],
  ],
  // Western Europe: what a name may have.
  'inter-western.woff2': [
    [0xa1, 0xa6],
    [0xa8, 0xa8],
    [0xaa, 0xb6],
    [0xb8, 0xd6],
    [0xd8, 0xff],
    [0x20ac, 0x20ac],
    [0x2122, 0x2122],
  ],
};

const lettersOf = (ranges) =>
  ranges
    .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)))
    .join('');

mkdirSync('web/src/fonts', { recursive: true });
for (const [name, ranges] of Object.entries(FILES)) {
  const font = await subsetFont(readFileSync(source), lettersOf(ranges), {
    targetFormat: 'woff2',
    // font-normal, font-medium and font-semibold.
    variationAxes: { wght: { min: 400, max: 600 } },
    // Kerning, accents, figures of one width, and what `font-feature-settings` asks for.
    keepFeatures: ['kern', 'mark', 'mkmk', 'ccmp', 'tnum', 'cv11', 'ss03'],
  });
  writeFileSync(`web/src/fonts/${name}`, font);
  console.log(`${name}: ${font.length} bytes`);
}

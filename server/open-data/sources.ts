/** A source of places that we know. `license`: what its places come under where they do not say it themselves. */
export type KnownSource = { name: string; license: string; attribution: string };

/** The sources that are told by their files. Files of others say their source and license when they are loaded. */
export const KNOWN_SOURCES = {
  overture: {
    name: 'Overture Places',
    license: 'CDLA-Permissive-2.0',
    attribution: 'Overture Maps Foundation, Overture Places, https://overturemaps.org',
  },
  foursquare: {
    name: 'Foursquare OS Places',
    license: 'Apache-2.0',
    attribution: 'Copyright Foursquare Labs, Inc. Foursquare OS Places, licensed under the Apache License 2.0',
  },
  alltheplaces: {
    name: 'AllThePlaces',
    license: 'CC0-1.0',
    attribution: 'AllThePlaces, https://www.alltheplaces.xyz, dedicated to the public domain (CC0 1.0)',
  },
  openstreetmap: {
    name: 'OpenStreetMap',
    license: 'ODbL-1.0',
    attribution:
      '© OpenStreetMap contributors, https://www.openstreetmap.org/copyright, available under the Open Database License',
  },
} as const satisfies Record<string, KnownSource>;

export type KnownSourceId = keyof typeof KNOWN_SOURCES;

const OPEN_STREET_MAP: KnownSourceId = 'openstreetmap';
/**
 * The Open Database License, wherever and however it is named: "odc-odbl", "CC0-1.0 AND ODbL-1.0", a link to it.
 * OpenStreetMap's "copyright" is that license as well.
 */
const ODBL = /(?<![a-z])odbl|open[^a-z\d]*data[^a-z\d]*base[^a-z\d]*licen[cs]e|openstreetmap/i;

/** Whether places are kept in a table of their own, and never put together with others: those under the ODbL. */
export const isApart = ({ source, license }: { source: string; license: string }): boolean =>
  source === OPEN_STREET_MAP || ODBL.test(license);

/** Licenses that let no one pass values on to whom they like: "CC-BY-NC-4.0", "All rights reserved". "NC" alone may be North Carolina. */
const RESTRICTED = [
  /by[^a-z]*(?:nc|nd)(?![a-z])/,
  /(?<!commercial(?:ly)?[^a-z](?:and|or)[^a-z])\bnon?[^a-z]*commercial/,
  /\bno[^a-z]*deriv/,
  /(?<!not )\ball[^a-z]*rights[^a-z]*(?:are[^a-z]*)?reserved/,
  /\bno (?:re-?use|re-?distribution|resale|sharing)\b/,
  /\bnot (?:for )?(?:be )?(?:re-?(?:use|used|sell|sold|distribute|distributed)|sell|sold|share|shared|copy|copied|export|exported)\b/,
  /prohibited|forbidden|proprietary|confidential|evaluation/,
  /(?:personal|private|research|academic|educational|internal)[^.;]*\buse\b/,
];

/** Whether what a license says keeps its values out of export-safe files. */
export const isRestricted = (license: string): boolean => RESTRICTED.some((words) => words.test(license.toLowerCase()));

const isKnown = (source: string): source is KnownSourceId => Object.hasOwn(KNOWN_SOURCES, source);

/** What people call a source. */
export const sourceName = (source: string): string => (isKnown(source) ? KNOWN_SOURCES[source].name : source);

/** Whom to name where values of a release are shown or exported. */
export const attributionOf = ({
  source,
  release,
  license,
}: {
  source: string;
  release: string;
  license: string;
}): string => `${isKnown(source) ? KNOWN_SOURCES[source].attribution : source}. Release ${release}, ${license}.`;

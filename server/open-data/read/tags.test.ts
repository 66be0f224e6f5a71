import { expect, test } from 'vitest';
import { readTags } from './wire.ts';

const isClosed = (tags: Readonly<Record<string, string>>) =>
  readTags({ name: 'Quay', ...tags }, 'node/1', 'ODbL-1.0', [-89, 39]).closed;

test.each([
  { 'disused:shop': 'bakery' },
  { 'disused:office': 'lawyer' },
  { 'was:amenity': 'dentist' },
  { 'abandoned:craft': 'plumber' },
  { 'closed:shop': 'bakery' },
  { 'demolished:tourism': 'hotel' },
  { shop: 'vacant' },
  { office: 'vacant' },
  { shop: 'bakery', disused: 'yes' },
  { shop: 'bakery', abandoned: 'yes' },
  { shop: 'bakery', end_date: '2024' },
])('%j is no business anymore', (tags) => expect(isClosed(tags)).toBe(true));

test.each([
  { shop: 'bakery' },
  { shop: 'bakery', disused: 'no' },
  { shop: 'bakery', 'was:shop': 'butcher' },
  { amenity: 'dentist', 'disused:shop': 'florist' },
  { shop: 'bakery', 'disused:railway': 'station' },
])('%j is one', (tags) => expect(isClosed(tags)).toBe(false));

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Business } from '#sandbox/businesses/businesses.ts';
import { businessesWithin } from '#sandbox/businesses/invented-businesses.ts';
import { hashOf } from '#sandbox/businesses/random.ts';
import type { Box } from '#sandbox/geography/points.ts';

const TRADES = ['dentist', 'plumber', 'restaurant', 'florist', 'auto repair', 'lawyer', 'hair salon', 'coffee shop'];
/** Central Illinois. */
const SANDBOX_BOX: Box = {
  low: { latitude: 39, longitude: -90.5 },
  high: { latitude: 41, longitude: -88.5 },
};

/**
 * Writes the businesses of these trades in a box as a sequence of GeoJSON features, by Overture's schema v2. The same every time.
 * - Open data lacks things: some have no phone, no website or no place in it, and each tenth lies a little off.
 */
export async function writeOpenData(
  path: string,
  box: Box = SANDBOX_BOX,
  trades: readonly string[] = TRADES,
): Promise<void> {
  await pipeline(Readable.from(linesOf(box, trades)), createWriteStream(path));
}

function* linesOf(box: Box, trades: readonly string[]): Generator<string> {
  for (const trade of trades)
    for (const business of businessesWithin(trade, box))
      if (hashOf(`${business.id} open`) % 5 > 0) yield `${JSON.stringify(featureOf(business, trade))}\n`;
}

function featureOf(business: Business, trade: string) {
  const draw = hashOf(`${business.id} value`);
  const [region = '', postcode = ''] = (business.region ?? '').split(' ');
  const isOff = draw % 10 === 0 ? 0.002 : 0;
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [business.longitude + isOff, business.latitude] },
    properties: {
      id: `sandbox-${business.id}`,
      names: { primary: business.name },
      taxonomy: { primary: trade.replaceAll(' ', '_'), alternates: [] },
      basic_category: trade.replaceAll(' ', '_'),
      confidence: 0.5 + (draw % 50) / 100,
      sources: [
        { property: '', dataset: 'fairlead-sandbox', license: 'CDLA-Permissive-2.0', update_time: '2026-11-01' },
      ],
      phones: draw % 4 > 0 && business.internationalPhone ? [business.internationalPhone] : [],
      websites: draw % 3 > 0 && business.website ? [business.website] : [],
      emails: [],
      addresses: [{ freeform: business.street, locality: business.city, region, postcode, country: 'US' }],
      operating_status: business.status === 'CLOSED_PERMANENTLY' ? 'permanently_closed' : 'open',
    },
  };
}

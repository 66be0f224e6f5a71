import type { Coordinates } from '#providers/provider.ts';

const stateNames =
  'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|district of columbia|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|puerto rico';
const stateCodes =
  'al|ak|az|ar|ca|co|ct|de|dc|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|pr';

const endsInTheUnitedStates = new RegExp(
  `(?:\\b\\d{5}(?:-\\d{4})?|\\b(?:usa|u\\.s\\.a\\.|united states(?: of america)?|${stateNames}|${stateCodes}))$`,
  'i',
);

/** South, west, north, east of: the contiguous states, Alaska on both sides of the antimeridian, Hawaii, Puerto Rico. */
const usBoxes = [
  [24.3, -125.1, 49.5, -66.8],
  [51, -180, 71.6, -129.9],
  [51, 172, 53.2, 180],
  [18.7, -160.7, 22.5, -154.5],
  [17.6, -67.4, 18.7, -64.5],
] as const;

/**
 * Whether a typed location should be read as American first. Google treats the region as a leaning, not as a limit.
 * A location that names something else after a comma ("Douglas, Isle of Man") is better off without it.
 */
export function readsAsAmerican(location: string): boolean {
  const text = location.trim().replace(/[.,\s]+$/, '');
  return !text.includes(',') || endsInTheUnitedStates.test(text);
}

/** Whether a point lies in or right beside the United States. */
export function isNearUnitedStates({ latitude, longitude }: Coordinates): boolean {
  return usBoxes.some(
    ([south, west, north, east]) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
}

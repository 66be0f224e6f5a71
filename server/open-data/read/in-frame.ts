import type { Frame } from './chunk.ts';

export const inFrame = ({ west, south, east, north }: Frame, longitude: number, latitude: number): boolean =>
  latitude >= south &&
  latitude <= north &&
  (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east);

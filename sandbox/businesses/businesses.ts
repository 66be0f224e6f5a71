import type { Point } from '#sandbox/geography/points.ts';

/** A business that the simulated Google knows. Its point is known to the sandbox even when it is not shown. */
export type Business = Point & {
  id: string;
  name: string;
  types: readonly string[];
  street?: string;
  city: string;
  /** "IL 62701", "IM1 2EN" or nothing. */
  region?: string;
  country: string;
  nationalPhone?: string;
  internationalPhone?: string;
  website?: string;
  status: 'OPERATIONAL' | 'CLOSED_TEMPORARILY' | 'CLOSED_PERMANENTLY';
  /** Visits its customers: neither address nor point are shown. */
  serviceArea: boolean;
  rating?: number;
  ratings?: number;
};

/** "1200 Oak St, Springfield, IL 62701, USA". */
export function addressOf({ street, city, region, country }: Business): string {
  return [street, city, region, country].filter(Boolean).join(', ');
}

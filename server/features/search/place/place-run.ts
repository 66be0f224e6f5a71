import { z } from 'zod/mini';
import type { KindDefinition } from '#server/runs/run-context.ts';
import { locate } from './locate.ts';

const PlaceInput = z.object({ location: z.string() });

/** Finds out where a location is and remembers it, for the searches that follow. */
export const placeKind: KindDefinition = {
  provider: 'google_places',
  async execute(context) {
    const { location } = PlaceInput.parse(context.run.input);
    await locate(context, context.deps.providers.placeFinder(context.key.apiKey), location);
  },
};

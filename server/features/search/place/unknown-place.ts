import { AppError } from '#server/lib/app-error.ts';

/** What a search for a location that is none is refused with. */
export const unknownPlace = (location: string): AppError =>
  new AppError(
    'UNKNOWN_PLACE',
    `We could not find the place “${location}”, so nothing was searched. Check the spelling, or add the state, such as “Springfield, IL”.`,
  );

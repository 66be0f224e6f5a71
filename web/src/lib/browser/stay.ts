/** In the state of a location: the page shows something else, but stays where it is scrolled to. */
export const STAY = { stays: true };

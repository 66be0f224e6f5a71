/** What look-ups of places are added up under in the sums of lists (`list_key`), because they are for none. */
export const PLACE_RUNS_KEY = '00000000-0000-4000-8000-000000000001';

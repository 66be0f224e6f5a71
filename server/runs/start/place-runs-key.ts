/** The `list_key` of look-ups of places in the sums of lists, because they belong to no list. */
export const PLACE_RUNS_KEY = '00000000-0000-4000-8000-000000000001';

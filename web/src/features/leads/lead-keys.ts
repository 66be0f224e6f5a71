/** Names of what is known of leads. Pages that show none need only these. */
export const leadKeys = { all: ['leads'] as const, ofList: (listId: string) => ['leads', listId] as const };

/** Names of what is known of calls. Pages that show none need only these. */
export const callingKeys = { all: ['calling'] as const, leads: ['calling', 'lead'] as const };

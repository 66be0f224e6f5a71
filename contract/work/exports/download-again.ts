import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/**
 * Asks whether a kept file may be saved once more, and writes that down. `name`: of the file in its folder.
 * @throws NOT_FOUND
 * @throws CONFLICT when the file holds contacts that were suppressed or erased after it was made.
 */
export const downloadAgainEndpoint = endpoint({
  method: 'POST',
  path: '/api/exports/again',
  body: z.object({
    listId: z.uuid('This is not the id of a list.'),
    name: z.string().check(z.regex(/^[^/]{1,300}$/, 'This is not the name of a kept file.')),
  }),
  data: z.object({ allowed: z.boolean() }),
});

import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';
import { CHOICE_FIELDS, digest, LeadChoice } from './lead-choice.ts';
import { LIST_NAME_MAX_LENGTH } from './lists.ts';

const name = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(LIST_NAME_MAX_LENGTH, 'Use at most 250 characters.'));

/** What a person chose. Where other leads fit the choice by now, none is taken out of its list. `count`: how many leads those were. */
const CHOSEN_FIELDS = {
  count: z.optional(looseNumber.check(z.int())),
  digest,
};

/**
 * Copies leads of a list, with all that is known of them, to another list or to a new one. Nothing is paid.
 * - `remove`: they are moved, and are no longer in the first list. Those of `differing` stay in it.
 * - `archive`: the whole list is merged into another, and archived, from where it can be restored for 30 days.
 * - Leads that are in the other list already are not added again (`skipped`). Their empty fields there are `filled`.
 * - `differing`: of the skipped ones, those that still hold something else than the lead there, such as another email.
 */
export const copyLeadsEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/leads/copy',
  query: z.object({ listId: looseId }),
  body: z.object({
    ...CHOICE_FIELDS,
    to: z.union([z.object({ list_id: looseId }), z.object({ name })]),
    remove: z.optional(z.boolean()),
    archive: z.optional(z.boolean()),
    ...CHOSEN_FIELDS,
  }),
  data: z.object({
    list_id: z.string(),
    name: z.string(),
    copied: z.number(),
    skipped: z.number(),
    filled: z.number(),
    differing: z.number(),
  }),
});

export const deleteLeadsEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/leads/delete',
  query: z.object({ listId: looseId }),
  body: z.extend(LeadChoice, CHOSEN_FIELDS),
  data: z.object({ deleted: z.number() }),
});

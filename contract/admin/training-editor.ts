import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { TRAINING_PAGES, Training } from './training.ts';
import { parseVideoUrl } from './video-url.ts';

/** Longest button title and longest address or embed code, in characters. */
export const TRAINING_TITLE_MAX_LENGTH = 80;
export const EMBED_CODE_MAX_LENGTH = 4000;

/** Said of a field that was left out. */
export const TRAINING_FIELD_MISSING = 'Required';
export const TRAINING_URL_INVALID = 'Please enter a valid YouTube or Vimeo URL.';

const pageKey = z.enum(TRAINING_PAGES, TRAINING_FIELD_MISSING);

/** The same, for those only who may change them. */
export const listTrainingForEditorEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/training',
  reads: true,
  access: 'admin',
  data: Training,
});

/** Gives a page its video; replaces the one before. */
export const saveTrainingEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/training',
  access: 'admin',
  body: z.object({
    pageKey,
    title: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, TRAINING_FIELD_MISSING),
        z.maxLength(TRAINING_TITLE_MAX_LENGTH, `A title must be at most ${TRAINING_TITLE_MAX_LENGTH} characters long.`),
      ),
    embedCode: z.string().check(
      z.trim(),
      z.minLength(1, TRAINING_FIELD_MISSING),
      z.maxLength(EMBED_CODE_MAX_LENGTH, `An embed code must be at most ${EMBED_CODE_MAX_LENGTH} characters long.`),
      z.refine((text) => parseVideoUrl(text) !== undefined, TRAINING_URL_INVALID),
    ),
    isActive: z.boolean(),
  }),
  data: z.object({ pageKey }),
});

export const deleteTrainingEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/admin/training',
  access: 'admin',
  body: z.object({ pageKey }),
  data: z.object({ pageKey }),
});

/** Chooses for the whole workspace when videos load. */
export const setVideoLoadingEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/training/loading',
  access: 'admin',
  body: z.object({ afterClick: z.boolean() }),
  data: z.object({ afterClick: z.boolean() }),
});

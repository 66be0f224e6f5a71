import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { parseVideoUrl } from './video-url.ts';

/** The places that can have a training video: five pages, and the New Search dialog. */
export const TRAINING_PAGES = ['dashboard', 'search', 'settings', 'usage', 'account', 'training'] as const;
export type TrainingPage = (typeof TRAINING_PAGES)[number];

export const TRAINING_PAGE_LABELS: Record<TrainingPage, string> = {
  dashboard: 'Dashboard',
  search: 'New Search',
  settings: 'Settings',
  usage: 'Usage Analytics',
  account: 'Account Settings',
  training: 'Training Editor',
};

/** Longest button title and longest address or embed code, in characters. */
export const TRAINING_TITLE_MAX_LENGTH = 80;
export const EMBED_CODE_MAX_LENGTH = 4000;

/** Key of the browser's storage that holds its copy of the videos. */
export const TRAINING_STORAGE_KEY = 'training-videos';

/** A page's video. `embedCode` is as an admin entered it: only what `parseVideoUrl` reads from it may be shown. */
export const TrainingConfig = z.object({ title: z.string(), embedCode: z.string(), isActive: z.boolean() });
export type TrainingConfig = z.infer<typeof TrainingConfig>;

/** At most one video for each page. */
export const TrainingConfigs = z.partialRecord(z.enum(TRAINING_PAGES), TrainingConfig);
export type TrainingConfigs = z.infer<typeof TrainingConfigs>;

/** Said of a field that was left out. */
export const TRAINING_FIELD_MISSING = 'Required';
export const TRAINING_URL_INVALID = 'Please enter a valid YouTube or Vimeo URL.';

/** Whether a video loads only once someone presses Play. Otherwise it loads with its dialog. */
const afterClick = z._default(z.boolean(), false);

const pageKey = z.enum(TRAINING_PAGES, TRAINING_FIELD_MISSING);

/** All videos, for every browser's copy. */
export const listTrainingEndpoint = endpoint({
  method: 'GET',
  path: '/api/training',
  data: z.object({ videos: TrainingConfigs, afterClick }),
});

/** The same, for those only who may change them. */
export const listTrainingForEditorEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/training',
  access: 'admin',
  data: z.object({ videos: TrainingConfigs, afterClick }),
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

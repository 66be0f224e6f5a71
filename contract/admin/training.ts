import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

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

/** Key of the browser's storage that holds its copy of the videos. */
export const TRAINING_STORAGE_KEY = 'training-videos';

/** A page's video. `embedCode` is as an admin entered it: only what `parseVideoUrl` reads from it may be shown. */
export const TrainingConfig = z.object({ title: z.string(), embedCode: z.string(), isActive: z.boolean() });
export type TrainingConfig = z.infer<typeof TrainingConfig>;

/** At most one video for each page. */
export const TrainingConfigs = z.partialRecord(z.enum(TRAINING_PAGES), TrainingConfig);
export type TrainingConfigs = z.infer<typeof TrainingConfigs>;

/** `afterClick`: a video loads only once someone presses Play. Otherwise it loads with its dialog. */
export const Training = z.object({ videos: TrainingConfigs, afterClick: z._default(z.boolean(), false) });

/** All videos, for every browser's copy. */
export const listTrainingEndpoint = endpoint({
  method: 'GET',
  path: '/api/training',
  reads: true,
  data: Training,
});

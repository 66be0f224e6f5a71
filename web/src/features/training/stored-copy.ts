import { type listTrainingEndpoint, TRAINING_STORAGE_KEY, TrainingConfigs } from '#contract/admin/training.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';

/** The training videos of the workspace, and whether they load only after a click. */
export type Training = DataOf<typeof listTrainingEndpoint>;

/** Stands beside the copy of the videos while they wait for a click. */
const AFTER_CLICK_KEY = 'training-videos-after-click';

/** This browser's copy of the training videos; undefined when there is none that can be read. */
export function readCopy(): Training | undefined {
  try {
    const videos = TrainingConfigs.parse(JSON.parse(readStored(TRAINING_STORAGE_KEY) ?? ''));
    return { videos, afterClick: readStored(AFTER_CLICK_KEY) !== undefined };
  } catch {
    return undefined;
  }
}

export function writeCopy({ videos, afterClick }: Training): void {
  writeStored(TRAINING_STORAGE_KEY, JSON.stringify(videos));
  if (afterClick) writeStored(AFTER_CLICK_KEY, 'yes');
  else removeStored(AFTER_CLICK_KEY);
}

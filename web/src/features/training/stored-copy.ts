import { TRAINING_STORAGE_KEY, TrainingConfigs } from '#contract/training.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

/** This browser's copy of the training videos; undefined when there is none that can be read. */
export function readCopy(): TrainingConfigs | undefined {
  try {
    return TrainingConfigs.parse(JSON.parse(readStored(TRAINING_STORAGE_KEY) ?? ''));
  } catch {
    return undefined;
  }
}

export function writeCopy(videos: TrainingConfigs): void {
  writeStored(TRAINING_STORAGE_KEY, JSON.stringify(videos));
}

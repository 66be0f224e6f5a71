import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files of minutes. The usual order goes by size, and would begin them last. */
const LONGEST = [
  'server/features/imports/most-rows.long.test.ts',
  'test/e2e/words.long.test.ts',
  'test/chaos/import-kills.long.test.ts',
];

const isLongest = ({ moduleId }: TestSpecification): boolean => LONGEST.some((file) => moduleId.endsWith(`/${file}`));

/** Begins with the files that take longest, so that none runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

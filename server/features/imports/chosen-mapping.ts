import type { ImportField } from '#contract/imports/fields.ts';
import type { ImportMapping } from '#contract/imports/imports.ts';
import { AppError } from '#server/lib/app-error.ts';
import { columnsOf, fieldIn, type ImportRecord, type Mapping, mappingOf } from './stage/import-row.ts';

/**
 * What each column is read as: as chosen, else as it was before, else as guessed.
 * @throws VALIDATION_FAILED
 */
export function chosenMapping(record: ImportRecord, chosen: ImportMapping): Mapping {
  const columns = columnsOf(record);
  const headers = new Set(columns.map(({ header }) => header));
  const unknown = Object.keys(chosen).find((header) => !headers.has(header));
  if (unknown !== undefined)
    throw new AppError('VALIDATION_FAILED', `The file has no column “${unknown.slice(0, 100)}”.`);
  const before = mappingOf(record);
  const fieldOf = (header: string, guess: ImportField): ImportField => {
    const field = Object.hasOwn(chosen, header) ? chosen[header] : undefined;
    return field === null ? 'skip' : (field ?? fieldIn(before, header) ?? guess);
  };
  const mapping = Object.fromEntries(columns.map(({ header, guess }) => [header, fieldOf(header, guess)]));
  if (Object.values(mapping).every((field) => field === 'skip'))
    throw new AppError('VALIDATION_FAILED', 'Every column is left out. Say what at least one of them holds.');
  return mapping;
}

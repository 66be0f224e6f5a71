import type { KeptExport } from '#contract/work/exports/export-archive.ts';
import type { ExportCompliance, ExportFilter } from '#contract/work/exports/export-choice.ts';
import { plural } from '#web/lib/format/format.ts';

type Choice<T> = { value: T; label: string; description: string };

export const FILTERS: readonly Choice<ExportFilter>[] = [
  { value: 'all', label: 'All leads', description: 'With or without an email or owner' },
  { value: 'has_emails', label: 'Has emails', description: 'Leads with an email address' },
  { value: 'has_contacts', label: 'Has contacts', description: 'Leads with an owner or manager' },
  { value: 'fully_enriched', label: 'Fully enriched', description: 'Email, owner name and a verified email' },
];
export const COMPLIANCE: readonly Choice<ExportCompliance>[] = [
  { value: 'clean', label: 'Clean only', description: 'Numbers that a check has cleared' },
  { value: 'all_leads', label: 'All numbers', description: 'Includes flagged and unchecked numbers' },
];

/** The words of a choice. */
const labelOf = <T extends string>(choices: readonly Choice<T>[], value: T): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;

/** Everything that a kept file was narrowed to, and what was added to it, in words. */
export const choiceWords = ({ selected, filter, compliance, rights, callWithin, callTimes }: KeptExport): string[] => [
  ...(selected ? ['Selected leads'] : []),
  ...(selected && filter === 'all' ? [] : [labelOf(FILTERS, filter)]),
  ...(compliance === 'clean' ? [labelOf(COMPLIANCE, compliance)] : []),
  ...(callWithin === undefined ? [] : [`Callable within ${plural(callWithin, 'hour')}`]),
  // Leads that may be called soon always have their times.
  ...(callTimes && callWithin === undefined ? ['Call times'] : []),
  ...(rights === 'export_safe' ? ['Export-safe'] : []),
];

import type { LucideIcon } from 'lucide-react';
import type { Shortcut } from './shortcuts.ts';

/** Something that the command palette can do. */
export type Command = {
  /** Different from that of every other command. */
  id: string;
  label: string;
  icon: LucideIcon;
  /** Other words for it. */
  keywords?: string;
  /** The keys that do the same. */
  shortcut?: Shortcut | undefined;
  run: () => void;
};

export type CommandGroup = { title: string; commands: readonly Command[] };

const fold = (text: string): string => text.toLocaleLowerCase();

/**
 * Those of `items` whose text contains every word of `search`, in their order, but with the texts that begin with it
 * first.
 */
export function fitting<T>(items: readonly T[], search: string, textOf: (item: T) => string): T[] {
  const wanted = fold(search.trim());
  if (wanted === '') return [...items];
  const words = wanted.split(/\s+/);
  const first: T[] = [];
  const others: T[] = [];
  for (const item of items) {
    const text = fold(textOf(item));
    if (text.startsWith(wanted)) first.push(item);
    else if (words.every((word) => text.includes(word))) others.push(item);
  }
  return [...first, ...others];
}

/** What of `groups` fits a search. Groups with nothing left are gone. */
export const fittingGroups = (groups: readonly CommandGroup[], search: string): CommandGroup[] =>
  groups
    .map(({ title, commands }) => ({
      title,
      commands: fitting(commands, search, ({ label, keywords = '' }) => `${label} ${keywords} ${title}`),
    }))
    .filter(({ commands }) => commands.length > 0);

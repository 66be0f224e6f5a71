import { useEffect, useRef, useState } from 'react';
import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';
import type { Command } from './commands.ts';
import { readKey, type ShortcutAction } from './shortcuts.ts';

const STORAGE_KEY = 'single-key-shortcuts';
const OFF = 'off';

/** The keys of a sequence follow each other within this time, in ms. */
const SEQUENCE_MS = 1000;

/** What takes letters itself: fields, and what is searched by typing. */
const TYPING = 'input, textarea, select, [role=combobox], [role=listbox] *, [role=menu], [role=menu] *';

/** Fields for text, where keys such as Ctrl+B have a meaning of their own. Selects, menus and ticks are none. */
const TEXT = 'textarea, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=date])';

/** Whether the focus is where this shortcut would mean something else. */
const isTyping = (target: EventTarget | null, mod: boolean): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(mod ? TEXT : TYPING));

const isDialogOpen = (): boolean => document.querySelector('[role=dialog], [role=alertdialog]') !== null;

/** Whether single-key shortcuts are wanted in this browser. */
export function useSingleKeys(): [boolean, (wanted: boolean) => void] {
  const [wanted, setWanted] = useState(() => readStored(STORAGE_KEY) !== OFF);
  const change = (next: boolean) => {
    if (next) removeStored(STORAGE_KEY);
    else writeStored(STORAGE_KEY, OFF);
    setWanted(next);
  };
  return [wanted, change];
}

/** The command of a page that a key of its own stands for. Those of the app come first. */
const commandOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, page: readonly Command[]) =>
  ctrlKey || metaKey || altKey || shiftKey
    ? undefined
    : page.find(({ shortcut }) => shortcut?.keys.length === 1 && shortcut.keys[0] === key.toLowerCase());

/** Listens for the shortcuts of the app, and for those of the open page. */
export function useShortcuts(
  singleKeys: boolean,
  perform: (action: ShortcutAction) => void,
  ofPage: () => readonly Command[],
): void {
  const begun = useRef<{ keys: readonly string[]; at: number }>({ keys: [], at: 0 });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      const { keys, at } = begun.current;
      const meaning = readKey(event, event.timeStamp - at < SEQUENCE_MS ? keys : []);
      begun.current = { keys: [], at: 0 };
      if (!meaning) {
        const command = commandOf(event, ofPage());
        if (!command || !singleKeys || isTyping(event.target, false) || isDialogOpen()) return;
        event.preventDefault();
        command.run();
        return;
      }
      if ('action' in meaning) {
        if (!meaning.mod && !singleKeys) return;
        if (meaning.offWhile.includes('typing') && isTyping(event.target, meaning.mod)) return;
        if (meaning.offWhile.includes('dialog') && isDialogOpen()) return;
        event.preventDefault();
        perform(meaning.action);
      } else if (!isTyping(event.target, false)) {
        begun.current = { keys: meaning, at: event.timeStamp };
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}

export type ShortcutAction = 'palette' | 'sidebar' | 'help' | 'page' | { to: string };

export type Shortcut = {
  does: string;
  /** Pressed one after the other, as KeyboardEvent.key names them. */
  keys: readonly string[];
  /** Together with Ctrl, or Command. Without it a shortcut is single-key and can be switched off (WCAG 2.1.4). */
  mod: boolean;
  /** Where it is left alone. */
  offWhile: readonly ('typing' | 'dialog')[];
  action: ShortcutAction;
};

const single = (does: string, keys: readonly string[], action: ShortcutAction): Shortcut => ({
  does,
  keys,
  mod: false,
  offWhile: ['typing', 'dialog'],
  action,
});

/** A key of a page: it works while the page is open, and what it does is the page's. */
export const pageKey = (does: string, key: string): Shortcut => single(does, [key], 'page');

/** All shortcuts of the app: what the keys do, and what the help shows. */
export const SHORTCUTS: readonly Shortcut[] = [
  { does: 'Open the command palette', keys: ['k'], mod: true, offWhile: ['dialog'], action: 'palette' },
  { does: 'Toggle the sidebar', keys: ['b'], mod: true, offWhile: ['typing'], action: 'sidebar' },
  single('Show keyboard shortcuts', ['?'], 'help'),
  single('New Search', ['n'], { to: '/search' }),
  single('Go to Dashboard', ['g', 'd'], { to: '/' }),
  single('Go to Settings', ['g', 's'], { to: '/settings' }),
  single('Go to Account', ['g', 'a'], { to: '/account' }),
  single('Go to Usage', ['g', 'u'], { to: '/usage' }),
  single('Go to Import', ['g', 'i'], { to: '/imports' }),
  single('Go to Suppression List', ['g', 'l'], { to: '/suppressions' }),
];

export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * What a key press means after the single keys pressed just `before` it: a shortcut, the keys of one that has only begun,
 * or nothing.
 */
export function readKey(press: KeyPress, before: readonly string[]): Shortcut | readonly string[] | undefined {
  if (press.altKey) return undefined;
  // Caps Lock changes the letter, but not the shortcut.
  const key = press.shiftKey ? press.key : press.key.toLowerCase();
  if (press.ctrlKey || press.metaKey) return SHORTCUTS.find(({ mod, keys }) => mod && keys[0] === key);
  for (const typed of [[...before, key], [key]]) {
    const begun = SHORTCUTS.filter(({ mod, keys }) => !mod && typed.every((one, index) => keys[index] === one));
    const whole = begun.find(({ keys }) => keys.length === typed.length);
    if (whole) return whole;
    if (begun.length > 0) return typed;
  }
  return undefined;
}

/** The shortcut that does the same as `action`. */
export const shortcutTo = (action: ShortcutAction): Shortcut | undefined =>
  SHORTCUTS.find((shortcut) => JSON.stringify(shortcut.action) === JSON.stringify(action));

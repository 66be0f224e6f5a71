import { Moon, Sun } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenuRadioGroup, DropdownMenuRadioItem } from '#web/ui/overlay/dropdown-menu.tsx';
import { Tooltip } from '#web/ui/overlay/tooltip.tsx';
import { type Theme, useTheme } from './theme-provider.tsx';

/** Switches between light and dark. */
export function ThemeToggle() {
  const { resolved, setTheme } = useTheme();
  const next = resolved === 'dark' ? 'light' : 'dark';
  const label = `Switch to ${next} theme`;
  return (
    <Tooltip content={label} side="bottom">
      <Button variant="ghost" size="icon" aria-label={label} onClick={() => setTheme(next)}>
        {resolved === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
      </Button>
    </Tooltip>
  );
}

const THEMES: readonly { value: Theme; name: string }[] = [
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
  { value: 'system', name: 'System' },
];

/** All three modes, as a part of a menu. */
export function ThemeMenuChoice() {
  const { theme, setTheme } = useTheme();
  const choose = (next: string) => {
    const known = THEMES.find(({ value }) => value === next);
    if (known) setTheme(known.value);
  };
  return (
    <DropdownMenuRadioGroup value={theme} onValueChange={choose} aria-label="Theme">
      {THEMES.map(({ value, name }) => (
        <DropdownMenuRadioItem key={value} value={value} onSelect={(event) => event.preventDefault()}>
          {name}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  );
}

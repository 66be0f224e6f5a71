import { Monitor, Moon, Sun } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
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

const THEMES: readonly { value: Theme; name: string; Icon: typeof Sun }[] = [
  { value: 'light', name: 'Light', Icon: Sun },
  { value: 'dark', name: 'Dark', Icon: Moon },
  { value: 'system', name: 'System', Icon: Monitor },
];

/** All three modes, for the avatar menu. */
export function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  return (
    <SegmentedControl
      aria-label="Theme"
      value={theme}
      onValueChange={setTheme}
      className="w-full [&>button]:flex-1"
      options={THEMES.map(({ value, name, Icon }) => ({
        value,
        label: (
          <span className="flex items-center justify-center gap-1.5">
            <Icon aria-hidden className="size-3.5" />
            {name}
          </span>
        ),
      }))}
    />
  );
}

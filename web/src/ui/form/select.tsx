import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { reloadIfNewer } from '#web/lib/browser/reload-if-newer.ts';
import { loadPopups, usePopups } from '#web/ui/popups/use-popups.ts';
import { useFieldControl } from './field.tsx';
import { type SelectProps, selectClasses } from './select-looks.ts';

export type { SelectOption } from './select-looks.ts';

/**
 * A list to choose one value from. Inside a Field it takes its label from there; else give it an `aria-label`. Closed it is
 * there at once; the rest comes after the page, and opens then if it was pressed.
 */
export function Select<T extends string>(props: SelectProps<T>) {
  const popups = usePopups();
  const [pressed, setPressed] = useState(false);
  if (popups) return <popups.Select {...props} defaultOpen={pressed} />;
  const press = () => {
    setPressed(true);
    void loadPopups().catch(reloadIfNewer);
  };
  return <ClosedSelect {...props} onPress={press} />;
}

function ClosedSelect<T extends string>({
  value,
  onValueChange: _,
  options,
  placeholder,
  disabled,
  size = 'md',
  className,
  onPress,
  ...aria
}: SelectProps<T> & { onPress: () => void }) {
  const wiring = useFieldControl(aria);
  const chosen = options.find((option) => option.value === value);
  const openByArrows = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    onPress();
  };
  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-autocomplete="none"
      {...wiring}
      aria-label={aria['aria-label']}
      data-placeholder={chosen ? undefined : ''}
      disabled={disabled}
      onClick={onPress}
      onKeyDown={openByArrows}
      className={selectClasses(size, className)}
    >
      <span className="truncate">{chosen?.label ?? placeholder}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
    </button>
  );
}

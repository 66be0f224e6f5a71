import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { useFieldControl } from '#web/ui/form/field.tsx';
import { type SelectOption, type SelectProps, selectClasses } from '#web/ui/form/select-looks.ts';
import { keepNewFocus } from '#web/ui/overlay/keep-new-focus.ts';

/** The library takes an empty value for none, and refuses it as an option. */
const keyOf = (value: string): string => `=${value}`;

/** `defaultOpen`: it was pressed before it was here. */
export function Select<T extends string>({
  value,
  onValueChange,
  options,
  placeholder,
  disabled,
  size = 'md',
  className,
  defaultOpen,
  ...aria
}: SelectProps<T> & { defaultOpen: boolean }) {
  const wiring = useFieldControl(aria);
  const chosen = options.find((option) => option.value === value);
  const choose = (key: string) => {
    const option = options.find((candidate) => keyOf(candidate.value) === key);
    if (option) onValueChange(option.value);
  };
  // Closed lists are mounted too, and a table of them is slow: they wait for someone to come near.
  const [wanted, setWanted] = useState(defaultOpen);
  const want = () => setWanted(true);
  const [open, setOpen] = useState(defaultOpen);
  const trigger = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(defaultOpen);
  // At once, so that Tab goes on from here: the library's timer may come after the next keys.
  useEffect(() => {
    if (wasOpen.current && !open) trigger.current?.focus({ preventScroll: true });
    wasOpen.current = open;
  }, [open]);
  const toggle = (next: boolean) => {
    want();
    setOpen(next);
  };
  // The library takes the first release of the mouse for that of the press that opened the list, and on a slow machine it is a click.
  const pick = (value: T) => {
    if (!open) return;
    onValueChange(value);
    setOpen(false);
  };
  return (
    <Radix.Root
      value={chosen ? keyOf(chosen.value) : ''}
      onValueChange={choose}
      open={open}
      onOpenChange={toggle}
      disabled={disabled ?? false}
    >
      <Radix.Trigger
        ref={trigger}
        {...wiring}
        onFocus={want}
        onPointerEnter={want}
        aria-label={aria['aria-label']}
        className={selectClasses(size, className)}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder}>{chosen?.label}</Radix.Value>
        </span>
        <Radix.Icon asChild>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
        </Radix.Icon>
      </Radix.Trigger>
      {wanted ? <Options options={options} onPick={pick} /> : null}
    </Radix.Root>
  );
}

function Options<T extends string>({
  options,
  onPick,
}: {
  options: readonly SelectOption<T>[];
  onPick: (value: T) => void;
}) {
  return (
    <Radix.Portal>
      <Radix.Content
        position="popper"
        onCloseAutoFocus={keepNewFocus}
        sideOffset={4}
        className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-pop-in overflow-hidden rounded-lg border bg-raised shadow-raised"
      >
        <Radix.Viewport className="p-1">
          {options.map((option) => (
            <Radix.Item
              key={option.value}
              value={keyOf(option.value)}
              disabled={option.disabled ?? false}
              onClick={() => option.disabled || onPick(option.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || option.disabled) return;
                // Or the same press would be a click on the trigger, which has the focus by then.
                event.preventDefault();
                onPick(option.value);
              }}
              className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover"
            >
              <span className="grid size-4 place-items-center">
                <Radix.ItemIndicator>
                  <Check aria-hidden className="size-4 text-accent" />
                </Radix.ItemIndicator>
              </span>
              <Radix.ItemText>{option.label}</Radix.ItemText>
            </Radix.Item>
          ))}
        </Radix.Viewport>
      </Radix.Content>
    </Radix.Portal>
  );
}

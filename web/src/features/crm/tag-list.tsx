import { useVirtualizer } from '@tanstack/react-virtual';
import { Check } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { CrmTag } from '#contract/admin/crm.ts';
import { cn } from '#web/ui/cn.ts';

/** In px; every row has it, so that thousands need not be measured. */
const ROW_HEIGHT = 36;
const PAGE_ROWS = 8;

/** Tags to choose any number of: one stop for the Tab key, arrows inside, Space chooses. Only the rows in view exist. */
export function TagList({
  tags,
  selected,
  onToggle,
}: {
  tags: readonly CrmTag[];
  selected: ReadonlySet<string>;
  onToggle: (tag: CrmTag) => void;
}) {
  'use no memo';
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(0);
  const active = Math.min(wanted, tags.length - 1);
  const virtualizer = useVirtualizer({
    count: tags.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: PAGE_ROWS,
  });

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + PAGE_ROWS,
      PageUp: active - PAGE_ROWS,
      Home: 0,
      End: tags.length - 1,
    };
    const next = steps[event.key];
    const tag = tags[active];
    if (next !== undefined) {
      const row = Math.max(0, Math.min(next, tags.length - 1));
      setWanted(row);
      virtualizer.scrollToIndex(row);
    } else if (tag && (event.key === ' ' || event.key === 'Enter')) onToggle(tag);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Tags in Keap"
      aria-multiselectable
      aria-activedescendant={tags[active] ? `${id}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={move}
      className="group h-72 overflow-y-auto rounded-lg border border-control bg-surface p-1 dark:bg-background"
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const tag = tags[index];
          return tag ? (
            <TagOption
              key={tag.tag_id}
              id={`${id}-${index}`}
              tag={tag}
              top={start}
              position={index + 1}
              count={tags.length}
              active={index === active}
              selected={selected.has(tag.tag_id)}
              onChoose={() => {
                setWanted(index);
                onToggle(tag);
              }}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

function TagOption({
  id,
  tag,
  top,
  position,
  count,
  active,
  selected,
  onChoose,
}: {
  id: string;
  tag: CrmTag;
  top: number;
  position: number;
  count: number;
  active: boolean;
  selected: boolean;
  onChoose: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox has the focus and takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the listbox points at it with aria-activedescendant
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-setsize={count}
      aria-posinset={position}
      onClick={onChoose}
      style={{ top, height: ROW_HEIGHT }}
      className={cn(
        'absolute inset-x-0 flex cursor-default select-none items-center gap-2.5 rounded-md px-2 hover:bg-hover',
        active && 'group-focus-visible:bg-hover',
      )}
    >
      <span
        className={cn(
          'grid size-4 shrink-0 place-items-center rounded-sm border border-control',
          selected && 'border-accent bg-accent text-accent-foreground',
        )}
      >
        {selected ? <Check aria-hidden strokeWidth={3} className="size-3" /> : null}
      </span>
      <span className="truncate" title={tag.tag_name}>
        {tag.tag_name}
      </span>
    </div>
  );
}

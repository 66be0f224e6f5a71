import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';
import { Input } from './input.tsx';

/** Typing pauses this long before it counts, in ms. */
const PAUSE_MS = 150;

/** A search field whose value is kept elsewhere (in the address): told after a pause, and following when it changes there. */
export function SearchInput({
  value,
  onValueChange,
  label,
  placeholder,
  className,
}: {
  value: string;
  onValueChange: (value: string) => void;
  label: string;
  placeholder?: string;
  className?: string | undefined;
}) {
  const [draft, setDraft] = useState(value);
  /** What the value will be, step by step, once the address has followed. */
  const told = useRef([value]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const step = told.current.lastIndexOf(value);
    told.current = step < 0 ? [value] : told.current.slice(step);
    if (step >= 0) return;
    clearTimeout(timer.current);
    setDraft(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const change = (next: string) => {
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      told.current.push(next);
      onValueChange(next);
    }, PAUSE_MS);
  };
  return (
    <div className={cn('relative', className)}>
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-4 text-faint"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={draft}
        onChange={(event) => change(event.target.value)}
        className="h-8 pl-8"
      />
    </div>
  );
}

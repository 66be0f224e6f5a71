import { cn } from '#web/ui/cn.ts';
import { controlClasses } from './input.tsx';

export type SelectOption<T extends string = string> = { value: T; label: string; disabled?: boolean };

export type SelectProps<T extends string> = {
  value: T | undefined;
  onValueChange: (value: T) => void;
  options: readonly SelectOption<T>[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  size?: 'sm' | 'md';
  className?: string | undefined;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
};

/** The looks of a closed select. */
export const selectClasses = (size: 'sm' | 'md', className: string | undefined): string =>
  cn(
    controlClasses,
    'flex items-center justify-between gap-2 text-left data-[placeholder]:text-faint',
    size === 'sm' ? 'h-8 px-2.5 text-base' : 'h-9 px-3',
    className,
  );

import type { ComponentProps } from 'react';
import { cn } from '#web/ui/cn.ts';
import { useFieldControl } from './field.tsx';
import { controlClasses } from './input.tsx';

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  const wiring = useFieldControl(props);
  return <textarea {...props} {...wiring} className={cn(controlClasses, 'min-h-20 px-3 py-2', className)} />;
}

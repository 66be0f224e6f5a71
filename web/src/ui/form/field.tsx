import { createContext, type ReactNode, useContext, useId } from 'react';
import { useAfterPress } from '#web/lib/browser/press.ts';
import { cn } from '#web/ui/cn.ts';
import { Label } from './label.tsx';

type FieldWiring = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean };

const FieldContext = createContext<FieldWiring | undefined>(undefined);

type ControlProps = {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined;
  'aria-required'?: boolean | 'true' | 'false' | undefined;
};

/** The id and aria attributes that the enclosing Field gives to a control; what the control says itself wins. */
export function useFieldControl(own: ControlProps): ControlProps {
  const field = useContext(FieldContext);
  if (!field) return own;
  return {
    id: own.id ?? field.id,
    'aria-describedby': own['aria-describedby'] ?? field.describedBy,
    'aria-invalid': own['aria-invalid'] ?? (field.invalid || undefined),
    'aria-required': own['aria-required'] ?? (field.required || undefined),
  };
}

/** A labelled control with a hint and an error. With react-hook-form pass `error={errors.name?.message}`. */
export function Field({
  label,
  hint,
  error,
  required = false,
  className,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  // Leaving a field can bring an error and move what the same press points at.
  const shownError = useAfterPress(error);
  const errorId = shownError ? `${id}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(shownError), required }}>
      <div className={cn('grid content-start gap-1.5', className)}>
        <Label htmlFor={id}>{label}</Label>
        {children}
        {shownError ? (
          <p id={errorId} className="text-sm text-danger">
            {shownError}
          </p>
        ) : null}
        {hint ? (
          <p id={hintId} className="text-sm text-faint">
            {hint}
          </p>
        ) : null}
      </div>
    </FieldContext>
  );
}

import type { ReactNode } from 'react';

/** The head of a page: sets the window's title too. `title` is text; `meta` stands beside it (badges). */
export function PageHeader({
  title,
  description,
  back,
  meta,
  actions,
}: {
  title: string;
  description?: ReactNode;
  /** A link or button above the title. */
  back?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="grid grid-cols-1 gap-2">
      <title>{`${title} · Fairlead`}</title>
      {back ? <div className="print:hidden">{back}</div> : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-full">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h1
              dir="auto"
              // Takes the focus when the page is opened from another one.
              tabIndex={-1}
              title={title}
              className="line-clamp-2 min-w-0 max-w-full break-words text-left font-semibold text-xl tracking-tight outline-none print:line-clamp-none"
            >
              {title}
            </h1>
            {meta}
          </div>
          {description ? <div className="mt-0.5 text-secondary">{description}</div> : null}
        </div>
        {actions ? (
          <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2 empty:hidden print:hidden">
            {actions}
          </div>
        ) : null}
      </div>
    </header>
  );
}

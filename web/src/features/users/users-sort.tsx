import { Select } from '#web/ui/form/select.tsx';
import { USER_SORT_LABEL, USER_SORTS, type UsersView } from './users-view.ts';

const OPTIONS = USER_SORTS.flatMap((column) => [
  { value: `${column}.asc`, label: `${USER_SORT_LABEL[column]}, ascending` },
  { value: `${column}.desc`, label: `${USER_SORT_LABEL[column]}, descending` },
]);

/** In place of the headings of the table, where there is a list instead. */
export function UsersSort({ sort, onSort }: { sort: UsersView['sort']; onSort: (sort: UsersView['sort']) => void }) {
  const choose = (value: string) => {
    const column = USER_SORTS.find((candidate) => value.startsWith(`${candidate}.`));
    if (column) onSort({ column, direction: value.endsWith('.desc') ? 'desc' : 'asc' });
  };
  return (
    <Select
      aria-label="Sort"
      size="sm"
      value={`${sort.column}.${sort.direction}`}
      onValueChange={choose}
      options={OPTIONS}
      className="sm:w-52 md:hidden"
    />
  );
}

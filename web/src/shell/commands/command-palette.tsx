import { useQuery } from '@tanstack/react-query';
import { Archive, List } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { listsQuery } from '#web/features/lists/api.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { CommandDialog, CommandItem, CommandGroup as Group } from '#web/ui/overlay/command.tsx';
import { type Command, type CommandGroup, fitting, fittingGroups } from './commands.ts';
import { ShortcutKeys } from './shortcut-keys.tsx';
import { useCommands } from './use-commands.ts';

/** So many lists are shown at a time: the newest, or those that fit best. */
const LISTS_SHOWN = 6;

/** Everything that the app can do, found by typing. `page`: what the page behind it offers. */
export function CommandPalette({
  page,
  onShowShortcuts,
  onClose,
}: {
  page: CommandGroup | undefined;
  onShowShortcuts: () => void;
  onClose: () => void;
}) {
  const [open, setOpen] = useState(true);
  const [search, setSearch] = useState('');
  const chosen = useRef<Command>(undefined);
  const lists = useListCommands(search);
  const commands = useCommands(onShowShortcuts);
  const groups = [...fittingGroups(page ? [page] : [], search), ...lists.groups, ...fittingGroups(commands, search)];
  return (
    <CommandDialog
      open={open}
      title="Command palette"
      placeholder="Search lists, pages and actions"
      search={search}
      note={lists.note ?? (groups.length === 0 ? `Nothing matches “${search.trim()}”.` : undefined)}
      onSearchChange={setSearch}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        setOpen(false);
      }}
      onClose={() => setOpen(false)}
      // Only now, so that a dialog that it opens knows where the focus belongs.
      onClosed={() => {
        onClose();
        chosen.current?.run();
      }}
    >
      {groups.map(({ title, commands }) => (
        <Group key={title} heading={title}>
          {commands.map((command) => (
            <CommandItem
              key={command.id}
              value={command.id}
              onSelect={() => {
                chosen.current = command;
                setOpen(false);
              }}
            >
              <command.icon aria-hidden />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {command.label}
              </span>
              {command.shortcut ? <ShortcutKeys shortcut={command.shortcut} /> : null}
            </CommandItem>
          ))}
        </Group>
      ))}
    </CommandDialog>
  );
}

/** The lists that fit a search by name, to be opened. */
function useListCommands(search: string): { groups: CommandGroup[]; note: string | undefined } {
  const navigate = useNavigate();
  const { status } = useSession();
  const { data, isError } = useQuery({ ...listsQuery(false), enabled: status === 'signed_in' });
  if (!data) {
    if (status !== 'signed_in') return { groups: [], note: undefined };
    return { groups: [], note: isError ? 'Your lists could not be loaded.' : 'Loading lists…' };
  }
  const searching = search.trim() !== '';
  const candidates = searching ? data : data.filter(({ archived }) => !archived);
  const shown = fitting(candidates, search, ({ name }) => name).slice(0, LISTS_SHOWN);
  const commands = shown.map(
    ({ id, name, archived }): Command => ({
      id,
      label: name,
      icon: archived ? Archive : List,
      run: () => void navigate(`/lists/${id}`),
    }),
  );
  const title = searching ? 'Lists' : 'Recent lists';
  return { groups: commands.length > 0 ? [{ title, commands }] : [], note: undefined };
}

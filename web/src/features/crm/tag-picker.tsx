import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod/mini';
import { CrmTag } from '#contract/admin/crm.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { SearchInput } from '#web/ui/form/search-input.tsx';
import { allTagsQuery, useAddTags } from './api.ts';
import { ConnectKeapButton } from './connect-again.tsx';
import { crmErrorText, wantsConnection } from './crm-messages.ts';
import { TagList } from './tag-list.tsx';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The CRM's tags to choose from, without those that are required already. */
export function TagPicker({ required }: { required: readonly CrmTag[] }) {
  const tags = useQuery(allTagsQuery);
  if (tags.data) return <Choice all={tags.data} required={required} />;
  if (tags.error)
    return (
      <p className="flex flex-wrap items-center gap-3 text-secondary">
        The tags could not be loaded from Keap.
        {wantsConnection(tags.error) ? <ConnectKeapButton /> : null}
        <Button size="sm" pending={tags.isFetching} onClick={() => void tags.refetch()}>
          Load tags
        </Button>
      </p>
    );
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading tags from Keap</span>
      <Skeleton className="h-8 sm:w-72" />
      <div className="grid h-72 content-start gap-5 rounded-lg border p-3">
        {ROWS.map((row) => (
          <Skeleton key={row} className="w-64 max-w-full" />
        ))}
      </div>
    </div>
  );
}

function Choice({ all, required }: { all: readonly CrmTag[]; required: readonly CrmTag[] }) {
  // Apart, because the search is told after a pause, in which a tag may be chosen.
  const [search, setSearch] = useDraftState('tag-search', z.string(), '');
  const [selected, setSelected] = useDraftState('required-tags', z.array(CrmTag), []);
  const adding = useAddTags();
  const shown = useMemo(() => {
    const taken = new Set(required.map((tag) => tag.tag_id));
    const needle = search.trim().toLowerCase();
    return all.filter((tag) => !taken.has(tag.tag_id) && tag.tag_name.toLowerCase().includes(needle));
  }, [all, required, search]);
  const chosen = useMemo(() => new Set(selected.map((tag) => tag.tag_id)), [selected]);

  const toggle = (tag: CrmTag) => {
    const others = selected.filter(({ tag_id }) => tag_id !== tag.tag_id);
    setSelected(others.length < selected.length ? others : [...others, tag]);
  };
  const add = () =>
    adding.mutate(selected, {
      onSuccess: () => {
        toast.success('Required tags saved', `${plural(selected.length, 'tag')} added.`);
        setSelected([]);
        // What was searched for stands above now, and would be missed here.
        setSearch('');
      },
      onError: (error) => toast.error('Save failed', crmErrorText(error)),
    });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput
          label="Search tags"
          placeholder="Search tags"
          value={search}
          onValueChange={setSearch}
          className="w-full sm:w-72"
        />
        <p role="status" className="text-secondary text-sm tabular-nums">
          {search.trim() ? `${formatCount(shown.length)} of ${plural(all.length, 'tag')}` : plural(all.length, 'tag')}
        </p>
      </div>
      {shown.length > 0 ? (
        <TagList tags={shown} selected={chosen} onToggle={toggle} />
      ) : (
        <p className="grid h-72 place-items-center rounded-lg border border-dashed px-4 text-center text-secondary">
          {all.length === 0
            ? 'Keap has no tags yet. Create one there, then reload this page.'
            : 'No tag contains that text.'}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={selected.length === 0} pending={adding.isPending} onClick={add}>
          {selected.length === 0 ? 'Add' : `Add ${plural(selected.length, 'tag')}`}
        </Button>
        {selected.length > 0 ? (
          <Button variant="ghost" onClick={() => setSelected([])}>
            Clear selection
          </Button>
        ) : null}
      </div>
    </div>
  );
}

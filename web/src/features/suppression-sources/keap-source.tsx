import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { z } from 'zod/mini';
import type { CrmPull, SuppressionSettings } from '#contract/calling/suppression-sources.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { tagsQuery, usePull, useSaveSettings } from './api.ts';
import { failureText, pullText } from './pull-words.ts';
import { SettingSwitch } from './setting-switch.tsx';

/** What Keap adds to the list, when it was last asked, and what came of it. */
export function KeapSource({ settings, pull }: { settings: SuppressionSettings; pull: CrmPull }) {
  const pulling = usePull();
  const failure = failureText(pull);
  const isUnderWay = pull.state === 'running' || pull.state === 'waiting';
  return (
    <section aria-label="Keap" className="grid gap-3">
      <SettingSwitch
        name="crmStatuses"
        settings={settings}
        label="Keap opt-outs"
        hint="Addresses of leads that Keap may not email anymore. Up to 500 are asked about in an hour."
      />
      <TagChoice settings={settings} sandbox={pull.sandbox} />
      <p role="status" className="text-secondary text-sm">
        {pullText(pull)}
        {pull.state === 'not_connected' ? (
          <>
            {' '}
            <Link to="/admin/settings" className="rounded-sm text-accent underline underline-offset-4">
              Open Admin Settings
            </Link>
          </>
        ) : null}
      </p>
      {failure ? (
        <Alert tone="danger" title="Keap was not read completely">
          {failure}
        </Alert>
      ) : null}
      {pull.leftOut ? (
        <Alert tone="warning" title="Some opt-outs need you">
          <span className="[overflow-wrap:anywhere]">
            {pull.leftOut} Look at them in Keap, and suppress them by hand.
          </span>
        </Alert>
      ) : null}
      {pull.tagBefore ? (
        <Alert tone="warning" title="Another Keap account is connected">
          <span className="[overflow-wrap:anywhere]">
            The tag “{pull.tagBefore}” was chosen in the account that was connected before. It no longer counts. Choose
            a tag of this account.
          </span>
        </Alert>
      ) : null}
      {pull.state === 'off' || pull.state === 'not_connected' ? null : (
        <Button
          className="justify-self-start"
          pending={pulling.isPending || isUnderWay}
          onClick={() =>
            pulling.mutate(undefined, { onError: (error) => toast.error('Keap was not asked', errorMessage(error)) })
          }
        >
          {pulling.isPending || isUnderWay ? null : <RefreshCw aria-hidden />}
          Ask Keap now
        </Button>
      )}
    </section>
  );
}

const NONE = '';
/** More would not be read in a menu; a part of the name finds the others. */
const MOST_OFFERED = 50;
/** `was`: the tag that stood there when the choice began. */
const Draft = z.object({ search: z.string(), chosen: z.string(), was: z.nullable(z.string()) });

/** The tag whose holders are taken over. Tags are read when someone wants to choose one. */
function TagChoice({ settings, sandbox }: { settings: SuppressionSettings; sandbox: boolean }) {
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p className="font-medium">Tag in Keap</p>
        <p className="text-secondary text-sm [overflow-wrap:anywhere]">
          {settings.crmTag ? (
            <>
              Chosen: <bdi className="font-medium text-foreground">{settings.crmTag.name}</bdi>.{' '}
            </>
          ) : null}
          {sandbox
            ? 'The sandbox of Keap is connected: its people are invented, so no one is suppressed by a tag.'
            : `Everyone who holds ${settings.crmTag ? 'it' : 'a tag of your choice'} is suppressed, by number and address.`}
        </p>
      </div>
      {choosing ? (
        <TagPicker settings={settings} onDone={() => setChoosing(false)} />
      ) : (
        <Button size="sm" onClick={() => setChoosing(true)}>
          {settings.crmTag ? 'Change tag' : 'Choose tag'}
        </Button>
      )}
    </div>
  );
}

function TagPicker({ settings, onDone }: { settings: SuppressionSettings; onDone: () => void }) {
  const tags = useQuery(tagsQuery);
  const saving = useSaveSettings();
  const [draft, setDraft, clear] = useDraftState('keap-tag', Draft, {
    search: '',
    chosen: settings.crmTag?.id ?? NONE,
    was: settings.crmTag?.id ?? null,
  });
  const { search, chosen, was } = draft;
  const close = () => {
    clear();
    onDone();
  };
  if (tags.error)
    return (
      <Alert tone="danger" title="The tags could not be loaded from Keap" className="w-full">
        {errorMessage(tags.error)}{' '}
        <Button size="sm" pending={tags.isFetching} onClick={() => void tags.refetch()}>
          Load tags
        </Button>
      </Alert>
    );
  const needle = search.trim().toLowerCase();
  const found = (tags.data ?? []).filter(({ tag_name: name }) => name.toLowerCase().includes(needle));
  const kept = tags.data?.find(({ tag_id: id }) => id === chosen);
  const offered = [
    ...(kept && !found.slice(0, MOST_OFFERED).includes(kept) ? [kept] : []),
    ...found.slice(0, MOST_OFFERED),
  ];
  const save = () => {
    const crmTag = kept ? { id: kept.tag_id, name: kept.tag_name } : null;
    saving.mutate(
      { crmTag, crmTagWas: was },
      {
        onSuccess: close,
        onError: (error) => {
          toast.error('Save failed', errorMessage(error));
          if (error instanceof ApiError && error.code === 'CONFLICT') close();
        },
      },
    );
  };
  return (
    <form
      aria-label="Tag in Keap"
      aria-busy={tags.isPending}
      className="grid w-full items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field label="Part of its name">
        <Input
          autoComplete="off"
          value={search}
          onChange={(event) => setDraft({ ...draft, search: event.target.value })}
        />
      </Field>
      <Field label={found.length > MOST_OFFERED ? `Tag, the first ${MOST_OFFERED}` : 'Tag'}>
        <Select
          value={chosen}
          onValueChange={(next) => setDraft({ ...draft, chosen: next })}
          options={[
            { value: NONE, label: tags.isPending ? 'Loading…' : 'No tag' },
            ...offered.map(({ tag_id: value, tag_name: label }) => ({ value, label })),
          ]}
        />
      </Field>
      <Button type="submit" variant="primary" pending={saving.isPending} disabled={tags.isPending}>
        Save
      </Button>
      <Button variant="ghost" onClick={close}>
        Cancel
      </Button>
    </form>
  );
}

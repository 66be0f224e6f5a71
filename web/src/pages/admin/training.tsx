import { CirclePlay, Plus } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { TRAINING_PAGES, type TrainingConfig, type TrainingPage } from '#contract/admin/training.ts';
import { DeleteTrainingDialog } from '#web/features/training/delete-training-dialog.tsx';
import { useEditableVideos } from '#web/features/training/editor-api.ts';
import { LoadingSetting } from '#web/features/training/loading-setting.tsx';
import { TrainingDialog } from '#web/features/training/training-dialog.tsx';
import { TrainingTable, TrainingTableSkeleton } from '#web/features/training/training-table.tsx';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { errorMessage, isForbidden } from '#web/lib/backend/api-error.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { AdminRefusal } from '#web/shell/gate/admin-refusal.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';

type OpenDialog =
  | { kind: 'save'; pages: readonly TrainingPage[]; current: TrainingConfig | undefined }
  | { kind: 'delete'; page: TrainingPage; title: string };

/** The videos that explain the pages; for administrators. */
export function TrainingEditorPage() {
  const { status } = useSession();
  const videos = useEditableVideos();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const refused = isForbidden(videos.error);
  const editable = status === 'signed_in' && !refused ? videos.data : undefined;
  const without = editable ? TRAINING_PAGES.filter((page) => !editable.videos[page]) : [];

  return (
    <div className="grid max-w-4xl gap-6">
      <PageHeader
        title="Training Editor"
        description="Videos that explain the pages. Each one opens from a button on its page."
        actions={
          <>
            <TrainingVideoButton page="training" />
            {without.length > 0 ? (
              <Button variant="primary" onClick={() => setDialog({ kind: 'save', pages: without, current: undefined })}>
                <Plus aria-hidden />
                Add Training Video
              </Button>
            ) : null}
          </>
        }
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in to see and change the training videos.</SignedOutAlert>
      ) : refused ? (
        <AdminRefusal />
      ) : (
        <VideosSection
          videos={videos}
          onEdit={(page, current) => setDialog({ kind: 'save', pages: [page], current })}
          onDelete={(page, { title }) => setDialog({ kind: 'delete', page, title })}
        />
      )}
      {editable ? <LoadingSetting afterClick={editable.afterClick} /> : null}
      {editable && dialog?.kind === 'save' ? (
        <TrainingDialog pages={dialog.pages} current={dialog.current} onClose={close} />
      ) : null}
      {editable && dialog?.kind === 'delete' ? (
        <DeleteTrainingDialog page={dialog.page} title={dialog.title} onClose={close} />
      ) : null}
    </div>
  );
}

/** The videos under a heading of their own, for those who go from heading to heading. */
function VideosSection(props: ComponentProps<typeof Videos>) {
  return (
    <section className="grid min-w-0 gap-3">
      <h2 className="sr-only">Videos</h2>
      <Videos {...props} />
    </section>
  );
}

/** The videos in each of their states: being read, unreadable, none yet, and the table. */
function Videos({
  videos,
  onEdit,
  onDelete,
}: { videos: ReturnType<typeof useEditableVideos> } & Pick<
  ComponentProps<typeof TrainingTable>,
  'onEdit' | 'onDelete'
>) {
  if (videos.isError && !videos.data) {
    return (
      <ReadFailed title="The training videos could not be loaded" query={videos} again="Try again">
        {errorMessage(videos.error)}
      </ReadFailed>
    );
  }
  if (!videos.data) return <TrainingTableSkeleton />;
  const count = Object.keys(videos.data.videos).length;
  if (count === 0) {
    return <EmptyState icon={CirclePlay} title="No training videos configured yet. Add your first one above." />;
  }
  return (
    <>
      <TrainingTable videos={videos.data.videos} onEdit={onEdit} onDelete={onDelete} />
      {count === TRAINING_PAGES.length ? (
        <p className="text-faint text-sm">Every page has a video. Edit or delete one to show a different video.</p>
      ) : null}
    </>
  );
}

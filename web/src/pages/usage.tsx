import { ChartNoAxesColumn } from 'lucide-react';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function UsagePage() {
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Usage Analytics"
        description="What your searches, emails and checks used."
        actions={<TrainingVideoButton page="usage" />}
      />
      <div className="grid justify-items-center gap-3 rounded-lg border border-dashed px-6 py-14 text-center">
        <ChartNoAxesColumn aria-hidden className="size-5 text-faint" />
        <p className="text-secondary">Usage analytics interface coming soon...</p>
      </div>
    </div>
  );
}

import { Pencil, Trash2 } from 'lucide-react';
import {
  TRAINING_PAGE_LABELS,
  TRAINING_PAGES,
  type TrainingConfig,
  type TrainingConfigs,
  type TrainingPage,
} from '#contract/admin/training.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table/table.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';

/** The videos, in the order of the pages. */
export function TrainingTable({
  videos,
  onEdit,
  onDelete,
}: {
  videos: TrainingConfigs;
  onEdit: (page: TrainingPage, video: TrainingConfig) => void;
  onDelete: (page: TrainingPage, video: TrainingConfig) => void;
}) {
  return (
    <Table label="Training videos" className="max-sm:[&_:is(td,th)]:px-2">
      <TableHeader>
        <tr>
          <TableHead>Page</TableHead>
          <TableHead className="w-full">Title</TableHead>
          <TableHead>Status</TableHead>
          <TableHead>
            <span className="sr-only">Actions</span>
          </TableHead>
        </tr>
      </TableHeader>
      <TableBody>
        {TRAINING_PAGES.map((page) => {
          const video = videos[page];
          if (!video) return null;
          const label = TRAINING_PAGE_LABELS[page];
          return (
            <TableRow key={page}>
              <TableCell className="font-medium sm:whitespace-nowrap">{label}</TableCell>
              <TableCell dir="auto" className="min-w-16 wrap-anywhere">
                {video.title}
              </TableCell>
              <TableCell>
                <Badge tone={video.isActive ? 'success' : 'neutral'}>{video.isActive ? 'Active' : 'Inactive'}</Badge>
              </TableCell>
              <TableCell>
                <div className="flex justify-end gap-1 max-sm:flex-col">
                  <Button
                    variant="ghost"
                    size="icon-sm"
                    aria-label={`Edit video of ${label}`}
                    onClick={() => onEdit(page, video)}
                  >
                    <Pencil aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="icon-sm"
                    aria-label={`Delete video of ${label}`}
                    onClick={() => onDelete(page, video)}
                  >
                    <Trash2 aria-hidden />
                  </Button>
                </div>
              </TableCell>
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}

/** In the shape of the table. */
export function TrainingTableSkeleton() {
  return (
    <TableSkeleton label="Loading training videos" rows={3} rowClassName="h-10">
      <Skeleton className="w-24 shrink-0" />
      <Skeleton className="w-48" />
      <Skeleton className="ml-auto w-14 shrink-0" />
      <Skeleton className="w-12 shrink-0" />
    </TableSkeleton>
  );
}

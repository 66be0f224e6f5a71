import { PageHeader } from '#web/ui/page-header.tsx';

export function ListDetailPage() {
  return <PageHeader title="List" />;
}

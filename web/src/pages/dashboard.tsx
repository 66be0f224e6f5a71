import { PageHeader } from '#web/ui/page-header.tsx';

export function DashboardPage() {
  return <PageHeader title="Dashboard" description="An overview of your lead generation performance." />;
}

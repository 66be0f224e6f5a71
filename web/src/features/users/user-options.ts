import type { Role, UserStatus } from '#contract/admin/users.ts';
import type { SelectOption } from '#web/ui/form/select.tsx';

export const ROLE_LABEL: Record<Role, string> = { user: 'User', admin: 'Admin' };

export const ROLE_OPTIONS: readonly SelectOption<Role>[] = [
  { value: 'user', label: ROLE_LABEL.user },
  { value: 'admin', label: ROLE_LABEL.admin },
];

export const STATUS_OPTIONS: readonly SelectOption<UserStatus>[] = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
];

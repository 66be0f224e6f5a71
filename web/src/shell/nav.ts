import {
  Database,
  FileUp,
  LayoutDashboard,
  LifeBuoy,
  type LucideIcon,
  PhoneOff,
  ReceiptText,
  Scale,
  ScrollText,
  Search,
  Settings,
  ShieldCheck,
  UserRound,
  UsersRound,
  Video,
} from 'lucide-react';

export type NavItem = { label: string; icon: LucideIcon } & ({ to: string } | { external: 'support' });
export type NavGroup = {
  title: string;
  /** Shown to administrators only. */
  admin?: boolean;
  items: readonly NavItem[];
};

/** The links of the sidebar (spec section 2), and six more: Import, Usage, Suppression List, Calling Rules, Open Data and Audit Log. Logout, or Sign in, stands after the last group. */
const NAV_GROUPS: readonly NavGroup[] = [
  {
    title: 'Main',
    items: [
      { label: 'Dashboard', icon: LayoutDashboard, to: '/' },
      { label: 'New Search', icon: Search, to: '/search' },
      { label: 'Import', icon: FileUp, to: '/imports' },
      { label: 'Settings', icon: Settings, to: '/settings' },
      { label: 'Usage', icon: ReceiptText, to: '/usage' },
      { label: 'Suppression List', icon: PhoneOff, to: '/suppressions' },
    ],
  },
  { title: 'Resources', items: [{ label: 'Support', icon: LifeBuoy, external: 'support' }] },
  {
    title: 'Admin',
    admin: true,
    items: [
      { label: 'Training Editor', icon: Video, to: '/admin/training' },
      { label: 'User Management', icon: UsersRound, to: '/admin/users' },
      { label: 'Settings', icon: ShieldCheck, to: '/admin/settings' },
      { label: 'Calling Rules', icon: Scale, to: '/admin/calling-rules' },
      { label: 'Open Data', icon: Database, to: '/admin/sources' },
      { label: 'Audit Log', icon: ScrollText, to: '/admin/audit' },
    ],
  },
  { title: 'Account', items: [{ label: 'Account', icon: UserRound, to: '/account' }] },
];

/** The group that ends with Logout or Sign in. */
export const ACCOUNT_GROUP = 'Account';

/** The groups for someone with this role. */
export const navGroupsFor = (role: 'user' | 'admin' | undefined): readonly NavGroup[] =>
  NAV_GROUPS.filter((group) => !group.admin || role === 'admin');

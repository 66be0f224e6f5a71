import { LayoutDashboard, LifeBuoy, type LucideIcon, Search, Settings, UserRound } from 'lucide-react';

export type NavItem = { label: string; icon: LucideIcon } & ({ to: string } | { external: 'support' });
export type NavGroup = { title: string; items: readonly NavItem[] };

/** The links of the sidebar (spec section 2). Logout stands after the last group. */
export const NAV_GROUPS: readonly NavGroup[] = [
  {
    title: 'Main',
    items: [
      { label: 'Dashboard', icon: LayoutDashboard, to: '/' },
      { label: 'New Search', icon: Search, to: '/search' },
      { label: 'Settings', icon: Settings, to: '/settings' },
    ],
  },
  { title: 'Resources', items: [{ label: 'Support', icon: LifeBuoy, external: 'support' }] },
  { title: 'Account', items: [{ label: 'Account', icon: UserRound, to: '/account' }] },
];

/** The group that ends with Logout. */
export const ACCOUNT_GROUP = 'Account';

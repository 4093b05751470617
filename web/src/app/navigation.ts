import { CheckCircledIcon, DesktopIcon, GearIcon } from '@radix-ui/react-icons';

/** The entries of the navigation and of the search. A new page is one more line. */
export const navigation = [
  { to: '/devices', title: 'Devices', icon: DesktopIcon },
  { to: '/audits', title: 'Audits', icon: CheckCircledIcon },
  { to: '/admin', title: 'Administration', icon: GearIcon, isForAdmins: true },
] as const;

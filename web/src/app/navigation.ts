import {
  BarChartIcon,
  BookmarkIcon,
  CheckCircledIcon,
  CounterClockwiseClockIcon,
  CubeIcon,
  DashboardIcon,
  DesktopIcon,
  GearIcon,
  GlobeIcon,
  LayersIcon,
} from '@radix-ui/react-icons';

/** The entries of the navigation and of the search. A new page is one more line. */
export const navigation = [
  { to: '/', title: 'Overview', icon: DashboardIcon },
  { to: '/devices', title: 'Devices', icon: DesktopIcon },
  { to: '/inventory/$collection', params: { collection: 'regions' }, title: 'Regions', icon: GlobeIcon },
  { to: '/inventory/$collection', params: { collection: 'cells' }, title: 'Cells', icon: CubeIcon },
  { to: '/inventory/$collection', params: { collection: 'labels' }, title: 'Labels', icon: BookmarkIcon },
  { to: '/inventory/$collection', params: { collection: 'clouds' }, title: 'Clouds', icon: LayersIcon },
  { to: '/variables', title: 'Variables', icon: BarChartIcon },
  { to: '/changes', title: 'Changes', icon: CounterClockwiseClockIcon },
  { to: '/audits', title: 'Audits', icon: CheckCircledIcon },
] as const;

/** Those that only admins see. */
export const adminNavigation = [{ to: '/admin', title: 'Administration', icon: GearIcon }] as const;

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
  GridIcon,
  LayersIcon,
  Pencil2Icon,
} from '@radix-ui/react-icons';

/** The page whose entry shows how many proposals wait for the user. */
export const PROPOSALS_PATH = '/proposals';

/** The entries of the navigation and of the search. A new page is one more line. `letter`: the key that leads to it after `G`. */
export const navigation = [
  { to: '/', title: 'Overview', letter: 'o', icon: DashboardIcon },
  { to: '/map', title: 'Fleet map', letter: 'm', icon: GridIcon },
  { to: '/devices', title: 'Devices', letter: 'd', icon: DesktopIcon },
  {
    to: '/inventory/$collection',
    params: { collection: 'regions' },
    title: 'Regions',
    letter: 'r',
    icon: GlobeIcon,
  },
  {
    to: '/inventory/$collection',
    params: { collection: 'cells' },
    title: 'Cells',
    letter: 'c',
    icon: CubeIcon,
  },
  {
    to: '/inventory/$collection',
    params: { collection: 'labels' },
    title: 'Labels',
    letter: 'l',
    icon: BookmarkIcon,
  },
  {
    to: '/inventory/$collection',
    params: { collection: 'clouds' },
    title: 'Clouds',
    letter: 'u',
    icon: LayersIcon,
  },
  { to: '/variables', title: 'Variables', letter: 'v', icon: BarChartIcon },
  { to: PROPOSALS_PATH, title: 'Proposals', letter: 'p', icon: Pencil2Icon },
  { to: '/changes', title: 'Changes', letter: 'h', icon: CounterClockwiseClockIcon },
  { to: '/audits', title: 'Audits', letter: 'a', icon: CheckCircledIcon },
] as const;

/** Those that only admins see. */
export const adminNavigation = [
  { to: '/admin', title: 'Administration', letter: 's', icon: GearIcon },
] as const;

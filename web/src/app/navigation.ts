import { BarChartIcon, CounterClockwiseClockIcon, DesktopIcon } from '@radix-ui/react-icons';

/** The entries of the navigation and of the search. A new page is one more line. */
export const navigation = [
  { to: '/devices', title: 'Devices', icon: DesktopIcon },
  { to: '/variables', title: 'Variables', icon: BarChartIcon },
  { to: '/changes', title: 'Changes', icon: CounterClockwiseClockIcon },
] as const;

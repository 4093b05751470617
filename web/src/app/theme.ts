import { createTheme, type ButtonProps, type CSSVariablesResolver } from '@mantine/core';
import classes from './theme.module.css';

/** Dense and calm: small type, small gaps, one accent. The colours of levels are in levels.css. */
export const theme = createTheme({
  primaryColor: 'blue',
  respectReducedMotion: true,
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.5' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.125rem' }, h2: { fontSize: '0.9375rem' }, h3: { fontSize: '0.875rem' } },
  },
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Button: {
      defaultProps: { size: 'xs' },
      // White, the library's default, has too little contrast with the primary colour in the dark.
      vars: (_: unknown, { variant = 'filled' }: ButtonProps) => ({
        root: variant === 'filled' ? { '--button-color': 'var(--mantine-primary-color-contrast)' } : {},
      }),
    },
    Input: { defaultProps: { size: 'xs' }, classNames: { input: classes.input } },
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    // Enter selects what is selected already. What can be empty has a button for it.
    Select: { defaultProps: { size: 'xs', allowDeselect: false } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // As high and as wide as can be hit.
    InputClearButton: { vars: () => ({ root: { '--cb-size': '1.5rem' } }) },
    Popover: { classNames: { dropdown: classes.dropdown } },
    SegmentedControl: { defaultProps: { size: 'xs' }, classNames: { indicator: classes.indicator } },
    Tabs: { classNames: { tab: classes.tab } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
    Menu: { classNames: { dropdown: classes.menu } },
    Modal: {
      classNames: { content: classes.dialog, title: classes.title },
      defaultProps: {
        padding: 'md',
        closeButtonProps: { 'aria-label': 'Close' },
        // A header element outside of the page's sections would be a second banner.
        attributes: { header: { role: 'presentation' } },
      },
    },
  },
});

/** The library's colours that do not have enough contrast, and its surfaces. The values are in levels.css. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-dimmed': 'var(--text-dimmed)',
    '--mantine-color-placeholder': 'var(--text-dimmed)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-error': 'var(--removed)',
    '--mantine-color-anchor': 'light-dark(#1864ab, #74c0fc)',
  };
  return { variables: {}, light: shared, dark: shared };
};

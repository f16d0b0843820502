import { Button, type CSSVariablesResolver, createTheme, Input, type MantineColorsTuple } from '@mantine/core';

/** Accent colour. Shade 7 carries white text at AA contrast; shade 4 is for links on dark surfaces. */
const water: MantineColorsTuple = [
  '#e9f6f8',
  '#d5ecf0',
  '#abdae2',
  '#7ec7d3',
  '#57b5c4',
  '#35a0b2',
  '#1f8598',
  '#147083',
  '#0e5c6d',
  '#084654',
];

/** Greys with a tint of the accent, from text to the deepest surface. */
const dark: MantineColorsTuple = [
  '#d5dcdf',
  '#b4bec3',
  '#929ea4',
  '#6b777d',
  '#414c52',
  '#333d42',
  '#263035',
  '#1a2226',
  '#12181b',
  '#0c1113',
];

const gray: MantineColorsTuple = [
  '#f6f8f9',
  '#eef1f3',
  '#e3e8ea',
  '#d4dbde',
  '#bcc6ca',
  '#98a5aa',
  '#6a777d',
  '#4c585e',
  '#333d42',
  '#1c2327',
];

const fonts =
  '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans", sans-serif';

const surface = {
  header: { background: 'var(--weir-surface)' },
  content: { background: 'var(--weir-surface)' },
  title: { fontWeight: 600 },
};

/** Type, spacing, radius and colours. Status colours are in tokens.css. */
export const theme = createTheme({
  colors: { water, dark, gray },
  primaryColor: 'water',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: fonts,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.125rem', xl: '1.375rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.4', xl: '1.3' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '8px', lg: '8px', xl: '8px' },
  defaultRadius: 'md',
  headings: {
    fontFamily: fonts,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: Button.extend({ defaultProps: { loaderProps: { type: 'dots' } } }),
    InputWrapper: Input.Wrapper.extend({
      // Help below the field, errors between the two.
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
      styles: {
        label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500, marginBottom: 4 },
        description: { fontSize: 'var(--mantine-font-size-sm)', lineHeight: 1.45, marginTop: 4 },
        error: { fontSize: 'var(--mantine-font-size-sm)', marginTop: 4 },
      },
    }),
    // Names instead of imports keep these components out of the first load.
    Checkbox: { styles: { description: { lineHeight: 1.45 } } },
    // Colour alone does not distinguish a link from text.
    Anchor: { defaultProps: { underline: 'always' } },
    Modal: { styles: surface },
    Drawer: { styles: surface },
  },
});

/** Maps the library's colours to ours in both schemes. */
const sharedColors = {
  '--mantine-color-body': 'var(--weir-page)',
  '--mantine-color-text': 'var(--weir-text)',
  '--mantine-color-dimmed': 'var(--weir-muted)',
  '--mantine-color-default': 'var(--weir-surface)',
  '--mantine-color-default-border': 'var(--weir-line)',
  '--mantine-color-error': 'var(--weir-tone-bad)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: sharedColors, dark: sharedColors });

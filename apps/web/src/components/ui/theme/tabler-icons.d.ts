// The package types only its index, which names thousands of icons; we import each icon from its own file.
declare module '@tabler/icons-react/dist/esm/icons/*' {
  import type { Icon } from '@tabler/icons-react';

  const icon: Icon;

  // biome-ignore lint/style/noDefaultExport: it says what the package's files do
  export { icon as default };
}

// The package types only its index, but we import each icon from its own file.
declare module '@tabler/icons-react/dist/esm/icons/*' {
  import type { Icon } from '@tabler/icons-react';

  const icon: Icon;

  // biome-ignore lint/style/noDefaultExport: declares the package's own export
  export { icon as default };
}

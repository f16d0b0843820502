export { default as IconZoomIn } from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
export { default as IconZoomOut } from '@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs';

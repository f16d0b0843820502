export { default as IconArrowBackUp } from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
export { default as IconArrowForwardUp } from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs';
export { default as IconZoomIn } from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
export { default as IconZoomOut } from '@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs';

export { default as IconDeviceMobile } from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs';
export { default as IconTerminal2 } from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs';
export { default as IconVideo } from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';

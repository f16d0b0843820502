// Separate exports: importing the package's index would make tools read thousands of files.
export { default as IconDownload } from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
export { default as IconMicrophone } from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs';
export { default as IconPencil } from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
export { default as IconPlayerStop } from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs';
export { default as IconSettings } from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
export { default as IconVolume } from '@tabler/icons-react/dist/esm/icons/IconVolume.mjs';
export { default as IconVolumeOff } from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs';

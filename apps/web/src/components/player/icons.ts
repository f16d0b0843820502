export { default as IconMaximize } from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs';
export { default as IconMinimize } from '@tabler/icons-react/dist/esm/icons/IconMinimize.mjs';
export { default as IconPictureInPicture } from '@tabler/icons-react/dist/esm/icons/IconPictureInPicture.mjs';
export { default as IconPlayerPause } from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs';
export { default as IconPlayerPlay } from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs';
export { default as IconVolume } from '@tabler/icons-react/dist/esm/icons/IconVolume.mjs';
export { default as IconVolumeOff } from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs';

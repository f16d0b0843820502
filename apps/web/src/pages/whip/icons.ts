export { default as IconMicrophone } from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs';
export { default as IconMicrophoneOff } from '@tabler/icons-react/dist/esm/icons/IconMicrophoneOff.mjs';
export { default as IconVideo } from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';
export { default as IconVideoOff } from '@tabler/icons-react/dist/esm/icons/IconVideoOff.mjs';

export { default as IconDownload } from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
export { default as IconMicrophone } from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs';
export { default as IconMovie } from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs';
export { default as IconSearch } from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
export { default as IconTextRecognition } from '@tabler/icons-react/dist/esm/icons/IconTextRecognition.mjs';

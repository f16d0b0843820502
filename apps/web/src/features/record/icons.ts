export { default as IconDownload } from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
export { default as IconMovie } from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs';

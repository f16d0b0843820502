// Separate exports: importing the package's index would make tools read thousands of files.
export { default as IconDownload } from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
export { default as IconPencil } from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
export { default as IconShare } from '@tabler/icons-react/dist/esm/icons/IconShare.mjs';

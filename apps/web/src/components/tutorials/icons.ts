export { default as IconBilibili } from '@tabler/icons-react/dist/esm/icons/IconBrandBilibili.mjs';
export { default as IconMedium } from '@tabler/icons-react/dist/esm/icons/IconBrandMedium.mjs';
export { default as IconYoutube } from '@tabler/icons-react/dist/esm/icons/IconBrandYoutube.mjs';
export { default as IconEye } from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
export { default as IconHelpCircle } from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
export { default as IconShare } from '@tabler/icons-react/dist/esm/icons/IconShare.mjs';
export { default as IconThumbUp } from '@tabler/icons-react/dist/esm/icons/IconThumbUp.mjs';

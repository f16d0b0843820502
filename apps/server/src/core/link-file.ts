import { constants } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';

/** Errors of file systems without hard links. */
const noLink = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'];

/** Gives a file a second name, or a copy where the disk does not allow that: whole or not at all. Of no effect when it has it. */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (!noLink.includes(code)) throw error;
    await copyWhole(from, to);
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = `${to}.tmp`;
  try {
    await copyFile(from, temporary, constants.COPYFILE_FICLONE);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** As many folders as are looked at for models, and files in each. */
const most = 50;

/** Size of the models that the owner added: a folder each, beside that of built-in AI. None where nothing can be read. */
export async function addedBytes(modelsDir: string): Promise<number> {
  const folders = (await readdir(modelsDir).catch(() => [])).filter(
    (name) => name !== 'builtin' && !name.startsWith('.'),
  );
  const sizes = folders
    .sort()
    .slice(0, most)
    .map(async (folder) => {
      const names = await readdir(join(modelsDir, folder)).catch(() => []);
      const models = names.filter((name) => name.endsWith('.onnx')).slice(0, most);
      return sum(
        await Promise.all(
          models.map((name) =>
            stat(join(modelsDir, folder, name)).then(
              ({ size }) => size,
              () => 0,
            ),
          ),
        ),
      );
    });
  return sum(await Promise.all(sizes));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

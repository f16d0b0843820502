/** Contents of the files by path. */
export const files = import.meta.glob('./zh/{scenario,settings,shell}/*.json', { eager: true, import: 'default' });

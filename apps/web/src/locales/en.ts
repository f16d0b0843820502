/** Contents of the files by path. */
export const files = import.meta.glob('./en/{scenario,settings,shell}/*.json', { eager: true, import: 'default' });

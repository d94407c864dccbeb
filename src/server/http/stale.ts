/**
 * Whether another writer was faster: the stored version differs from the one the caller saw. A caller that names none overwrites whatever
 * is there.
 */
export const isStale = ({ version }: { readonly version: number }, seen: number | undefined): boolean =>
  seen !== undefined && version !== seen

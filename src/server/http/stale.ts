/**
 * Whether somebody else was faster: what is there is another version than the one that was looked at. Who names none is the last writer,
 * and never late.
 */
export const isStale = ({ version }: { readonly version: number }, seen: number | undefined): boolean =>
  seen !== undefined && version !== seen

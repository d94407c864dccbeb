/** The number of packages as text. */
export const packageCountLabel = (count: number): string => (count === 1 ? '1 package' : `${count} packages`)

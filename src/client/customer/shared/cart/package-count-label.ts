/** How many packages there are, in words. */
export const packageCountLabel = (count: number): string => (count === 1 ? '1 package' : `${count} packages`)

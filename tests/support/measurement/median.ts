/** The median of some numbers; of an even count, the mean of the two in the middle. */
export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new Error('no numbers to find the middle of')
  return (lower + upper) / 2
}

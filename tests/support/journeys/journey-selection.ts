/** Walked in every run: the whole way of a parent and of a studio, without a network too, and what the bytes come to. */
const alwaysIncluded = [
  'screen-byte-budgets',
  'checkout',
  'customer-order',
  'offline',
  'exactly-once-sync',
  'new-studio-to-order',
]

/**
 * Which files of journeys a run that takes turns leaves to other runs: all but one of `turns` of those that are not walked every time,
 * by the run's seed. Neighbours by name are of one kind, so each run has some of every kind. Other engines walk in long runs alone, and
 * say so themselves.
 */
export const skippedJourneys = (
  files: readonly string[],
  { seed, turns }: { seed: number; turns: number },
): string[] => {
  const isAlways = (file: string) =>
    file.includes('/engines/') || alwaysIncluded.some((one) => file.endsWith(`/${one}.journey.ts`))
  const inTurns = files.filter((file) => !isAlways(file)).toSorted()
  return inTurns.filter((_, n) => (n + seed) % turns !== 0)
}

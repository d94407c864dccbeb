/** Journeys of every run: a customer's and a studio's whole flow, the customer's offline, and the byte budgets. */
const alwaysIncluded = [
  'screen-byte-budgets',
  'checkout',
  'customer-order',
  'offline',
  'exactly-once-sync',
  'new-studio-to-order',
]

/**
 * The journey files that this run skips. A run takes one of `turns` parts of the files that are not in every run, chosen by the seed.
 * Neighbours in the alphabet test similar things, so that each part has some of every kind. Journeys on other engines run in long runs only
 * and skip themselves.
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

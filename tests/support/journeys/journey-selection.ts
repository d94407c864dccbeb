/** Journeys of every run: the whole flow of a customer, online and offline, and of a studio, and the byte budgets. */
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
 * Files with neighbouring names test similar things, so each part has some of every kind. Journeys on other engines run in long runs only
 * and skip themselves.
 */
export const skippedJourneys = (
  files: readonly string[],
  { seed, turns }: { seed: number; turns: number },
): string[] => {
  const isAlwaysIncluded = (file: string) =>
    file.includes('/engines/') || alwaysIncluded.some((name) => file.endsWith(`/${name}.journey.ts`))
  const rotatingFiles = files.filter((file) => !isAlwaysIncluded(file)).toSorted()
  return rotatingFiles.filter((_, n) => (n + seed) % turns !== 0)
}

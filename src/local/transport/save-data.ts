/**
 * Whether the customer asked their browser to fetch little (Save-Data; Chromium's alone, in pages and workers alike).
 */
export const prefersReducedData = (): boolean => {
  const { connection } = navigator as { connection?: { saveData?: boolean } } // no standard yet
  return connection?.saveData === true
}

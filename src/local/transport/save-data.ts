/**
 * Whether the customer asked their browser to fetch little (Save-Data; only Chromium has it, in pages and workers).
 */
export const prefersReducedData = (): boolean => {
  const { connection } = navigator as { connection?: { saveData?: boolean } } // no standard yet
  return connection?.saveData === true
}

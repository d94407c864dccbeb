/**
 * Maps items with at most `atOnce` in flight and returns the results in the order of the items. After a failure it
 * starts no more; once those in flight have settled, it throws the first error.
 */
export const mapConcurrently = async <Item, Result>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const queue = Array.from(items, (item, index) => [index, item] as const)
  const results: Result[] = []
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, item] = next
      try {
        results[index] = await work(item)
      } catch (error) {
        queue.length = 0
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}

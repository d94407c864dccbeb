/**
 * Works on all of them, so many at once, and gives what came of each in their order. After one that failed none is begun; once those
 * that were begun are over too, it throws what failed first.
 */
export const mapConcurrently = async <Item, Made>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> => {
  const waiting = Array.from(items, (item, place) => [place, item] as const)
  const made: Made[] = []
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, item] = next
      try {
        made[place] = await work(item)
      } catch (error) {
        waiting.length = 0
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length > 0) throw failures[0]
  return made
}

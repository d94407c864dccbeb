/**
 * Works on all of them, so many at once, and gives what came of each in their order. After one that failed none is begun; it throws once
 * those that were begun are over too.
 */
export const mapAtOnce = async <Item, Made>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, place: number) => Promise<Made>,
): Promise<Made[]> => {
  const waiting = Array.from(items, (item, place) => [place, item] as const)
  const made: Made[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, item] = next
      try {
        made[place] = await work(item, place)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return made
}

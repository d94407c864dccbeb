/**
 * What the keyboard handling needs: the labels, and the index of the focused entry, -1 for none (focus on the button).
 */
type MenuState = { labels: readonly string[]; index: number }

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index <= 0 ? count : index) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

const onButton: Record<string, (count: number) => number> = {
  ArrowDown: () => 0,
  Enter: () => 0,
  ' ': () => 0,
  ArrowUp: (count) => count - 1,
}

/** Whether this key, pressed on the menu button, opens the menu and moves into it. */
export const opensMenu = (key: string): boolean => key in onButton

/**
 * The index a key moves the focus to, `undefined` if the key is not handled. A letter moves to the next entry that
 * starts with it.
 */
export const menuMove = (key: string, { labels, index }: MenuState): number | undefined => {
  const count = labels.length
  if (count === 0) return undefined
  if (index < 0) return onButton[key]?.(count)
  const step = steps[key]
  if (step) return step(index, count)
  if (key.length !== 1 || key === ' ') return undefined
  const order = labels.map((_, offset) => (index + 1 + offset) % count)
  return order.find((candidate) => labels[candidate]?.toLowerCase().startsWith(key.toLowerCase()))
}

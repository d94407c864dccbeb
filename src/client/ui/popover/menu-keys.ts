/** What the keyboard sees of a menu: the words of its choices and which one has the focus, -1 for none (it is on the button). */
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

/** Whether this key, pressed on the menu's button, opens the menu and goes into it. */
export const opensMenu = (key: string): boolean => key in onButton

/** Which choice a key moves the focus to, `undefined` when the key is not for the menu. A letter goes to the next choice it begins. */
export const menuMove = (key: string, { labels, index }: MenuState): number | undefined => {
  const count = labels.length
  if (count === 0) return undefined
  if (index < 0) return onButton[key]?.(count)
  const step = steps[key]
  if (step) return step(index, count)
  if (key.length !== 1 || key === ' ') return undefined
  const order = labels.map((_, place) => (index + 1 + place) % count)
  return order.find((place) => labels[place]?.toLowerCase().startsWith(key.toLowerCase()))
}

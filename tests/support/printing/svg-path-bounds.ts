/** How many numbers each path command takes. */
const argumentCounts: Readonly<Record<string, number>> = { M: 2, l: 2, h: 1, v: 1, q: 4, c: 6, z: 0 }

/** The bounding box of the points of an SVG path of `M` and relative commands. A curve never leaves the box of its control points. */
export const svgPathBounds = (path: string) => {
  const xs: number[] = []
  const ys: number[] = []
  let pen = { x: 0, y: 0 }
  for (const [, command = '', text = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = text.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
    const step = argumentCounts[command]
    if (step === undefined) throw new Error(`a path of ours has no ${command}`)
    for (let n = 0; n < numbers.length; n += step) {
      const from = command === 'M' ? { x: 0, y: 0 } : pen
      const given = numbers.slice(n, n + step)
      const pairs = command === 'h' ? [...given, 0] : command === 'v' ? [0, ...given] : given
      for (let at = 0; at < pairs.length; at += 2) {
        pen = { x: from.x + (pairs[at] ?? 0), y: from.y + (pairs[at + 1] ?? 0) }
        xs.push(pen.x)
        ys.push(pen.y)
      }
    }
  }
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

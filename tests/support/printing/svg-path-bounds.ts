/** How many numbers each path command takes. */
const argumentCounts: Readonly<Record<string, number>> = { M: 2, l: 2, h: 1, v: 1, q: 4, c: 6, z: 0 }

/** The bounding box of the points of an SVG path of `M` and relative commands. A curve never leaves the box of its control points. */
export const svgPathBounds = (path: string) => {
  const xs: number[] = []
  const ys: number[] = []
  let point = { x: 0, y: 0 }
  for (const [, command = '', text = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = text.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
    const argumentCount = argumentCounts[command]
    if (argumentCount === undefined) throw new Error(`unknown path command ${command}`)
    for (let n = 0; n < numbers.length; n += argumentCount) {
      const from = command === 'M' ? { x: 0, y: 0 } : point
      const args = numbers.slice(n, n + argumentCount)
      const pairs = command === 'h' ? [...args, 0] : command === 'v' ? [0, ...args] : args
      for (let index = 0; index < pairs.length; index += 2) {
        point = { x: from.x + (pairs[index] ?? 0), y: from.y + (pairs[index + 1] ?? 0) }
        xs.push(point.x)
        ys.push(point.y)
      }
    }
  }
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

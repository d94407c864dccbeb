import { dirname } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import type { SourceFile } from './source-files.ts'

type Node = ESTree.Node
type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

export type LongFunction = { place: string; lines: number }

const lineCounter = (text: string) => {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at)
  return (position: number): number => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

export const linesOf = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const isFunction = (node: Node): node is FunctionNode =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)

const statements = new Set([
  'IfStatement',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
])

const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([key, value]) => {
    if (key === 'parent') return []
    return (Array.isArray(value) ? value : [value]).filter((one): one is Node => typeof one?.type === 'string')
  })

/** The deepest nesting of statements in one function; `else if` does not count as deeper. */
const deepest = (node: Node, depth: number): number => {
  const inner = statements.has(node.type) ? depth + 1 : depth
  const children = childrenOf(node).map((child) => {
    const isElseIf = node.type === 'IfStatement' && child === node.alternate && child.type === 'IfStatement'
    return deepest(child, isFunction(child) ? 0 : isElseIf ? depth : inner)
  })
  return Math.max(inner, ...children)
}

const isEmptyCatch = ({ body }: ESTree.CatchClause): boolean => body.body.length === 0

const returnsNothing = (node: Node | undefined): boolean => {
  if (!node || !isFunction(node) || !node.body) return false
  if (node.body.type === 'BlockStatement') return node.body.body.length === 0
  return node.body.type === 'Identifier' && node.body.name === 'undefined'
}

export type CodeMetrics = {
  lines: number
  longFunctions: LongFunction[]
  nesting: number
  suppressions: number
  anyTypes: number
  swallowed: string[]
}

const suppression = /biome-ignore|@ts-(?:ignore|expect-error|nocheck)|eslint-disable/

/** Measures one file: lengths in lines, deepest nesting, and suppressions of the compiler or the linter. */
export const measure = ({ path, text }: SourceFile): CodeMetrics => {
  const { program, comments } = parseSync(path, text)
  const lineAt = lineCounter(text)
  const longFunctions: LongFunction[] = []
  const swallowed: string[] = []
  let anyTypes = 0
  const onFunction = (node: FunctionNode) => {
    const [first, last] = [lineAt(node.start), lineAt(node.end)]
    if (last - first + 1 > 80) longFunctions.push({ place: `${path}:${first}`, lines: last - first + 1 })
  }
  new Visitor({
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    TSAnyKeyword: () => {
      anyTypes += 1
    },
    CatchClause: (node) => {
      if (isEmptyCatch(node)) swallowed.push(`${path}:${lineAt(node.start)}`)
    },
    CallExpression: ({ callee, arguments: [handler], start }) => {
      const isCatch =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'catch'
      if (isCatch && returnsNothing(handler as Node)) swallowed.push(`${path}:${lineAt(start)}`)
    },
  }).visit(program)
  return {
    lines: linesOf(text),
    longFunctions,
    nesting: deepest(program, 0),
    suppressions: comments.filter(({ value }) => suppression.test(value)).length,
    anyTypes,
    swallowed,
  }
}

/** Which relative imports climb two folders or more, as a share of all imports of our own files. */
export const climbingShare = (sources: readonly SourceFile[]): number => {
  const own = sources.flatMap(({ imports }) => imports.filter(({ specifier }) => /^[.#]/.test(specifier)))
  return own.filter(({ specifier }) => specifier.startsWith('../../')).length / own.length
}

/** Folders with more than `limit` files, with their counts. */
export const crowdedFolders = (paths: readonly string[], limit: number): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const path of paths) counts[dirname(path)] = (counts[dirname(path)] ?? 0) + 1
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > limit))
}

/** Import cycles between files, type imports included; each is the list of its files. */
export const importCircles = (sources: readonly SourceFile[]): string[][] => {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (path: string) => {
    const order = index.size
    index.set(path, order)
    low.set(path, order)
    stack.push(path)
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue
      if (!index.has(target)) {
        visit(target)
        low.set(path, Math.min(low.get(path) ?? 0, low.get(target) ?? 0))
      } else if (stack.includes(target)) low.set(path, Math.min(low.get(path) ?? 0, index.get(target) ?? 0))
    }
    if (low.get(path) !== order) return
    const circle = stack.splice(stack.indexOf(path))
    if (circle.length > 1) circles.push(circle.toSorted())
  }
  for (const { path } of sources) if (!index.has(path)) visit(path)
  return circles
}

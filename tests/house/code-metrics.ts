import { dirname } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import type { SourceFile } from './source-files.ts'

type Node = ESTree.Node
type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

export type LongFunction = { location: string; lines: number }

const createLineCounter = (text: string) => {
  const lineEnds: number[] = []
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lineEnds.push(end)
  return (position: number): number => {
    let [low, high] = [0, lineEnds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lineEnds[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

export const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const isFunction = (node: Node): node is FunctionNode =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)

const nestingStatements = new Set([
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
    return (Array.isArray(value) ? value : [value]).filter((child): child is Node => typeof child?.type === 'string')
  })

/** The deepest nesting of statements in one function; `else if` does not count as deeper. */
const deepestNesting = (node: Node, depth: number): number => {
  const innerDepth = nestingStatements.has(node.type) ? depth + 1 : depth
  const children = childrenOf(node).map((child) => {
    const isElseIf = node.type === 'IfStatement' && child === node.alternate && child.type === 'IfStatement'
    return deepestNesting(child, isFunction(child) ? 0 : isElseIf ? depth : innerDepth)
  })
  return Math.max(innerDepth, ...children)
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
  swallowedErrors: string[]
}

const suppressionPattern = /biome-ignore|@ts-(?:ignore|expect-error|nocheck)|eslint-disable/

/** Measures one file: lengths in lines, deepest nesting, and suppressions of the compiler or the linter. */
export const measure = ({ path, text }: SourceFile): CodeMetrics => {
  const { program, comments } = parseSync(path, text)
  const lineAt = createLineCounter(text)
  const longFunctions: LongFunction[] = []
  const swallowedErrors: string[] = []
  let anyTypes = 0
  const onFunction = (node: FunctionNode) => {
    const [first, last] = [lineAt(node.start), lineAt(node.end)]
    if (last - first + 1 > 80) longFunctions.push({ location: `${path}:${first}`, lines: last - first + 1 })
  }
  new Visitor({
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    TSAnyKeyword: () => {
      anyTypes += 1
    },
    CatchClause: (node) => {
      if (isEmptyCatch(node)) swallowedErrors.push(`${path}:${lineAt(node.start)}`)
    },
    CallExpression: ({ callee, arguments: [handler], start }) => {
      const isCatch =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'catch'
      if (isCatch && returnsNothing(handler as Node)) swallowedErrors.push(`${path}:${lineAt(start)}`)
    },
  }).visit(program)
  return {
    lines: countLines(text),
    longFunctions,
    nesting: deepestNesting(program, 0),
    suppressions: comments.filter(({ value }) => suppressionPattern.test(value)).length,
    anyTypes,
    swallowedErrors,
  }
}

/** The share of relative imports that climb two folders or more, among all imports of our own files. */
export const climbingShare = (sources: readonly SourceFile[]): number => {
  const ownImports = sources.flatMap(({ imports }) => imports.filter(({ specifier }) => /^[.#]/.test(specifier)))
  return ownImports.filter(({ specifier }) => specifier.startsWith('../../')).length / ownImports.length
}

/** Folders with more than `limit` files, with their counts. */
export const crowdedFolders = (paths: readonly string[], limit: number): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const path of paths) counts[dirname(path)] = (counts[dirname(path)] ?? 0) + 1
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > limit))
}

/** Import cycles between files, type imports included. Each cycle is the list of its files (Tarjan's algorithm). */
export const importCycles = (sources: readonly SourceFile[]): string[][] => {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
  const indexOfPath = new Map<string, number>()
  const lowLink = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (path: string) => {
    const order = indexOfPath.size
    indexOfPath.set(path, order)
    lowLink.set(path, order)
    stack.push(path)
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue
      if (!indexOfPath.has(target)) {
        visit(target)
        lowLink.set(path, Math.min(lowLink.get(path) ?? 0, lowLink.get(target) ?? 0))
      } else if (stack.includes(target))
        lowLink.set(path, Math.min(lowLink.get(path) ?? 0, indexOfPath.get(target) ?? 0))
    }
    if (lowLink.get(path) !== order) return
    const cycle = stack.splice(stack.indexOf(path))
    if (cycle.length > 1) cycles.push(cycle.toSorted())
  }
  for (const { path } of sources) if (!indexOfPath.has(path)) visit(path)
  return cycles
}

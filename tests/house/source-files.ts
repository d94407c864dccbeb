import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ESTree, parseSync, Visitor } from 'vite'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * One import of a file: its target as a path from the project's root, or the name of a package; `isType` if it does
 * not exist at run time.
 */
export type Import = { target: string; specifier: string; isType: boolean }

export type SourceFile = { path: string; text: string; imports: Import[] }

const aliases: readonly [string, string][] = Object.entries(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports as Record<string, string>,
).map(([alias, target]) => [alias.replace('*', ''), target.replace('./', '').replace('*', '')])

/** The file that a specifier imports, as a path from the project's root. Packages stay unchanged. */
const resolveSpecifier = (from: string, specifier: string): string => {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix))
  return alias ? alias[1] + specifier.slice(alias[0].length) : specifier
}

type FoundImport = { specifier: string; isType: boolean }

const getLiteralText = (node: ESTree.Node | null): string | null =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null

const isTypeOnly = ({ importKind, specifiers }: ESTree.ImportDeclaration): boolean =>
  importKind === 'type' ||
  (specifiers.length > 0 &&
    specifiers.every((specifier) => specifier.type === 'ImportSpecifier' && specifier.importKind === 'type'))

/** All imports of a module: static ones, re-exports, `import()` anywhere, and `typeof import()`. */
const parseImports = (path: string, text: string): FoundImport[] => {
  const imports: FoundImport[] = []
  const add = (node: ESTree.Node | null, isType: boolean) => {
    const specifier = getLiteralText(node)
    if (specifier !== null) imports.push({ specifier, isType })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source, isTypeOnly(node)),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source, false),
    TSImportType: (node) => add(node.source, true),
  }).visit(parseSync(path, text).program)
  return imports
}

export const importsOf = (path: string, text: string): Import[] =>
  parseImports(path, text).map((imported) => ({ ...imported, target: resolveSpecifier(path, imported.specifier) }))

/** All TypeScript sources of the given folders, read once. */
export const readSourceFiles = (...folders: string[]): SourceFile[] =>
  folders.flatMap((folder) =>
    globSync(join(root, folder, '**/*.{ts,tsx}')).map((absolute) => {
      const path = relative(root, absolute)
      const text = readFileSync(absolute, 'utf8')
      return { path, text, imports: importsOf(path, text) }
    }),
  )

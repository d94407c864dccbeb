/** Renames the exported names and properties of `symbols.tsv`, after `move.mjs` has moved their files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Project, ts } from 'ts-morph'

const project = process.argv[2] ?? '.'
const rowsOf = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((row) => row.split('\t'))
const moves = Object.fromEntries(rowsOf('moves.tsv'))
const symbols = {}
for (const [file, from, to] of rowsOf('symbols.tsv')) symbols[file] = { ...symbols[file], [from]: to }
const program = new Project({
  compilerOptions: {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    jsx: ts.JsxEmit.ReactJSX,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
  },
  skipAddingFilesFromTsConfig: true,
})
program.addSourceFilesAtPaths(
  ['src', 'sw', 'tests'].map((d) => join(project, d, '**/*.{ts,tsx}')).concat(join(project, 'vite.config.ts')),
)
let done = 0
const problems = []
for (const [old, names] of Object.entries(symbols)) {
  const path = join(project, moves[old] ?? old)
  const file = program.getSourceFile(path)
  if (!file) {
    problems.push(`no file ${old}`)
    continue
  }
  for (const [from, to] of Object.entries(names)) {
    try {
      if (from.includes('.')) {
        const [type, property] = from.split('.')
        const alias = file.getTypeAlias(type) ?? file.getInterface(type)
        const found =
          alias?.getDescendantsOfKind(ts.SyntaxKind.PropertySignature).find((one) => one.getName() === property) ??
          alias?.getDescendantsOfKind(ts.SyntaxKind.MethodSignature).find((one) => one.getName() === property)
        if (!found) {
          problems.push(`no ${from} in ${old}`)
          continue
        }
        found.getNameNode().rename(to, { usePrefixAndSuffixText: true })
        done += 1
        continue
      }
      const declarations = file.getExportedDeclarations().get(from) ?? []
      const local = declarations.length
        ? declarations
        : [
            file.getFunction(from),
            file.getVariableDeclaration(from),
            file.getTypeAlias(from),
            file.getInterface(from),
          ].filter(Boolean)
      if (!local.length) {
        problems.push(`no ${from} in ${old}`)
        continue
      }
      local[0].getNameNode?.()?.rename(to, { usePrefixAndSuffixText: false })
      done += 1
      // a type and a constant of one name
      const twin = [file.getTypeAlias(from), file.getVariableDeclaration(from)].find(Boolean)
      if (twin) twin.getNameNode().rename(to)
    } catch (error) {
      problems.push(`${old} ${from}: ${error.message.split('\n')[0]}`)
    }
  }
}
await program.save()
console.warn(`${done} renamed`)
console.warn(problems.join('\n'))

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSourceFiles, root, type SourceFile } from './source-files.ts'

/** The classes in the selectors of a style sheet, except global classes, which components name in strings. */
const classesOf = (css: string): Set<string> => {
  const selectors = css.replaceAll(/\/\*.*?\*\/|:global\([^)]*\)|url\([^)]*\)/gs, '')
  return new Set([...selectors.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name]) => name ?? ''))
}

type StyleUse = { path: string; sheet: string; names: Set<string>; isDynamic: boolean }

/** The classes that a source reads from its style sheets; dynamic if it computes a name, as in `styles[size]`. */
const findStyleUses = ({ path, text, imports }: SourceFile): StyleUse[] =>
  imports
    .filter(({ target }) => target.endsWith('.module.css'))
    .flatMap(({ target, specifier }) => {
      const name = new RegExp(`import (\\w+) from '${RegExp.escape(specifier)}'`).exec(text)?.[1]
      if (!name) return []
      const reads = [...text.matchAll(new RegExp(`(?<![\\w.'/])${name}\\.(\\w+)`, 'g'))]
      const names = new Set(reads.map(([, className]) => className ?? ''))
      return { path, sheet: target, names, isDynamic: text.includes(`${name}[`) }
    })

const uses = readSourceFiles('src/client').flatMap(findStyleUses)
const sheets = new Map(
  [...new Set(uses.map(({ sheet }) => sheet))].map((sheet) => [
    sheet,
    classesOf(readFileSync(join(root, sheet), 'utf8')),
  ]),
)

test('every class that a component reads is in its style sheet', () => {
  expect(uses.length).toBeGreaterThan(100)
  const missing = uses.flatMap(({ path, sheet, names }) =>
    [...names].filter((name) => !sheets.get(sheet)?.has(name)).map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('every class of a style sheet is read by a component', () => {
  const unused = [...sheets].flatMap(([sheet, classes]) => {
    const sheetUses = uses.filter((use) => use.sheet === sheet)
    if (sheetUses.some(({ isDynamic }) => isDynamic)) return []
    return [...classes]
      .filter((name) => !sheetUses.some(({ names }) => names.has(name)))
      .map((name) => `${sheet}: ${name}`)
  })
  expect(unused).toEqual([])
})

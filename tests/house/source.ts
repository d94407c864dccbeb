import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Source = { path: string; text: string; imports: string[] }

const importPattern = /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g

/** Imports of a file: relative ones as paths from the project's root, packages as they are written. */
const importsOf = (path: string, text: string): string[] =>
  [...text.replace(/\{[^}]*\}/g, '{}').matchAll(importPattern)].map((match) => {
    const target = match[1] ?? match[2] ?? ''
    return target.startsWith('.') ? normalize(join(dirname(path), target)) : target
  })

/** Every TypeScript source of the rooms named, read once. */
export const sourcesOf = (...folders: string[]): Source[] =>
  folders.flatMap((folder) =>
    globSync(join(root, folder, '**/*.{ts,tsx}')).map((absolute) => {
      const path = relative(root, absolute)
      const text = readFileSync(absolute, 'utf8')
      return { path, text, imports: importsOf(path, text) }
    }),
  )

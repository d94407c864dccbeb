import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean }
type Manifest = Record<string, Chunk>

export type ByteBudget = { name: string; value: number; limit: number; unit: 'KB' | 'entries' }

export const isWithinBudget = ({ value, limit }: ByteBudget): boolean => value <= limit

/** Size in KB with gzip at its highest level, the unit of all budgets. */
export const gzipKb = (bytes: Uint8Array | string): number => gzipSync(bytes, { level: 9 }).length / 1024

const read = (file: string): string => {
  const path = join(dist, file)
  if (!existsSync(path)) throw new Error(`dist/${file} does not exist: build first (npm run build)`)
  return readFileSync(path, 'utf8')
}

/** The files a chunk needs before it runs: itself, its style sheets, and those of its imports. */
const collectFiles = (manifest: Manifest, key: string, files = new Set<string>()): Set<string> => {
  const chunk = manifest[key]
  if (!chunk || files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const sheet of chunk.css ?? []) files.add(sheet)
  for (const importKey of chunk.imports ?? []) collectFiles(manifest, importKey, files)
  return files
}

/** Each import cycle between chunks, once. In a cycle, the chunk that runs first would use exports that are not initialised yet. */
export const importCyclesIn = (manifest: Manifest): string[][] => {
  const visited = new Set<string>()
  const walk = (key: string, path: readonly string[]): string[][] => {
    if (path.includes(key)) return [path.slice(path.indexOf(key))]
    if (visited.has(key)) return []
    const cycles = (manifest[key]?.imports ?? []).flatMap((importKey) => walk(importKey, [...path, key]))
    visited.add(key)
    return cycles
  }
  return Object.keys(manifest).flatMap((key) => walk(key, []))
}

/** The scripts and style sheets that a page links with their imports: everything that must load before it hydrates. */
const landingFiles = (manifest: Manifest, template: string): Set<string> => {
  const linkedFiles = [...read(template).matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file,
  )
  const files = new Set<string>()
  for (const [key, { file, isEntry }] of Object.entries(manifest))
    if (isEntry || linkedFiles.includes(file)) collectFiles(manifest, key, files)
  for (const file of linkedFiles) if (file) files.add(file)
  return files
}

/** The service worker's code contains its precache list as JSON. */
const readPrecachedUrls = (worker: string): string[] => {
  const list = /\[\{"(?:revision|url)":[^\]]*\]/.exec(worker)?.[0]
  if (!list) throw new Error('dist/sw.js has no precache list')
  return JSON.parse(list).map(({ url }: { url: string }) => url)
}

/** The byte budgets of the files in `dist`. A journey measures how much each screen transfers. */
export const measureBytes = (): ByteBudget[] => {
  const manifest: Manifest = JSON.parse(read('.vite/manifest.json'))
  const worker = read('sw.js')
  const templatesIn = (folder: string) => readdirSync(join(dist, folder)).filter((name) => name.endsWith('.html'))
  const landings = templatesIn('templates').map((name): ByteBudget => {
    const files = [...landingFiles(manifest, `templates/${name}`)]
    const value = files.reduce((sum, file) => sum + gzipKb(read(file)), 0)
    return { name: `landing page ${name}: scripts and styles before it hydrates`, value, limit: 88, unit: 'KB' }
  })
  // A customer screen's 180 KB, and the file that redeems codes.
  const codePages = templatesIn('templates/code').map((name): ByteBudget => {
    const files = [...landingFiles(manifest, `templates/code/${name}`)]
    const value = files.reduce((sum, file) => sum + gzipKb(read(file)), 0)
    return { name: `page of an access code ${name}: scripts and styles`, value, limit: 192, unit: 'KB' }
  })
  const entryKeys = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const entryKb = entryKeys
    .flatMap((key) => [...collectFiles(manifest, key)])
    .reduce((sum, file) => sum + gzipKb(read(file)), 0)
  return [
    { name: 'landing: the entry and its static imports', value: entryKb, limit: 80, unit: 'KB' },
    ...landings,
    ...codePages,
    { name: 'service worker', value: gzipKb(worker), limit: 60, unit: 'KB' },
    {
      name: 'import cycles between files',
      value: importCyclesIn(manifest).length,
      limit: 0,
      unit: 'entries',
    },
    { name: 'precached files', value: readPrecachedUrls(worker).length, limit: 24, unit: 'entries' },
  ]
}

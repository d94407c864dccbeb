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
  if (!existsSync(path)) throw new Error(`dist/${file} is not there: build first (npm run build)`)
  return readFileSync(path, 'utf8')
}

/** The files a chunk needs before it runs: itself, its style sheets, and those of its imports. */
const filesOf = (manifest: Manifest, key: string, found = new Set<string>()): Set<string> => {
  const chunk = manifest[key]
  if (!chunk || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const sheet of chunk.css ?? []) found.add(sheet)
  for (const next of chunk.imports ?? []) filesOf(manifest, next, found)
  return found
}

/** Import cycles between chunks, each once. In a cycle the first chunk to run would use exports that are not initialised yet. */
export const importCyclesIn = (manifest: Manifest): string[][] => {
  const left = new Set<string>()
  const walk = (key: string, way: readonly string[]): string[][] => {
    if (way.includes(key)) return [way.slice(way.indexOf(key))]
    if (left.has(key)) return []
    const rings = (manifest[key]?.imports ?? []).flatMap((next) => walk(next, [...way, key]))
    left.add(key)
    return rings
  }
  return Object.keys(manifest).flatMap((key) => walk(key, []))
}

/** The scripts and style sheets in a landing page's head with their imports: everything its hydration waits for. */
const landingFiles = (manifest: Manifest, template: string): Set<string> => {
  const named = [...read(template).matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file)
  const found = new Set<string>()
  for (const [key, { file, isEntry }] of Object.entries(manifest))
    if (isEntry || named.includes(file)) filesOf(manifest, key, found)
  for (const file of named) if (file) found.add(file)
  return found
}

/** The service worker's code contains its precache list as JSON. */
const precachedAddresses = (worker: string): string[] => {
  const list = /\[\{"(?:revision|url)":[^\]]*\]/.exec(worker)?.[0]
  if (!list) throw new Error('dist/sw.js has no list of what it precaches')
  return JSON.parse(list).map(({ url }: { url: string }) => url)
}

/** The byte budgets of the files in `dist`. A journey measures what a visit of each screen transfers. */
export const measureBytes = (): ByteBudget[] => {
  const manifest: Manifest = JSON.parse(read('.vite/manifest.json'))
  const worker = read('sw.js')
  const templates = readdirSync(join(dist, 'templates')).filter((name) => name.endsWith('.html'))
  const landings = templates.map((name): ByteBudget => {
    const files = [...landingFiles(manifest, `templates/${name}`)]
    const value = files.reduce((sum, file) => sum + gzipKb(read(file)), 0)
    return { name: `landing page ${name}: scripts and styles until it is alive`, value, limit: 88, unit: 'KB' }
  })
  const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const start = entry.flatMap((key) => [...filesOf(manifest, key)]).reduce((sum, file) => sum + gzipKb(read(file)), 0)
  return [
    { name: 'landing: the entry and its static imports', value: start, limit: 80, unit: 'KB' },
    ...landings,
    { name: 'service worker', value: gzipKb(worker), limit: 60, unit: 'KB' },
    {
      name: 'rings of files that wait for each other',
      value: importCyclesIn(manifest).length,
      limit: 0,
      unit: 'entries',
    },
    { name: 'precached files', value: precachedAddresses(worker).length, limit: 20, unit: 'entries' },
  ]
}

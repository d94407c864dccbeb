import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { dist, root } from './folders.ts'

/** What `src/client/prerender.tsx` gives; it says there what each is for. */
type Prerender = {
  markers: Record<string, string>
  renderHome: () => Promise<string>
  renderStudio: (face: 'initial' | 'logo' | 'wordmark') => Promise<string>
  landingPages: Record<'home' | 'studio', Landing>
}

type Landing = { title: string }

/** Vite's list of what it made. */
type Chunks = Record<string, { file: string; name?: string; imports?: string[]; css?: string[] }>

const forServer = async (entry: string, outDir: string): Promise<void> => {
  await build({
    configFile: `${root}vite.config.ts`,
    logLevel: 'warn',
    build: { ssr: `${root}src/client/${entry}`, outDir, emptyOutDir: false },
  })
}

const place = (shell: string, mark: string, content: string): string => {
  if (!shell.includes(mark)) throw new Error(`index.html has no ${mark}`)
  return shell.replace(mark, () => content)
}

/** The files of a chunk and of everything it imports before it runs. */
const filesOf = (chunks: Chunks, name: string, found = new Set<string>()): Set<string> => {
  const chunk = chunks[name]
  if (!chunk) throw new Error(`The build has no ${name}`)
  if (found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const sheet of chunk.css ?? []) found.add(sheet)
  for (const other of chunk.imports ?? []) filesOf(chunks, other, found)
  return found
}

/** Tags that make the browser fetch at once what the page would ask for only later; what the shell asks for already is left out. */
const landingLinks = (shell: string): string => {
  const chunks: Chunks = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, 'utf8'))
  // The landing screens share the chunk that vite.config.ts makes for them.
  const landing = Object.keys(chunks).find((key) => chunks[key]?.name === 'landing' && key.endsWith('.js'))
  if (!landing) throw new Error('The build has no chunk for the landing screens')
  const files = filesOf(chunks, landing)
  const link = (file: string) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`
  return [...files]
    .filter((file) => !shell.includes(`"/${file}"`))
    .map(link)
    .join('')
}

const pageOf = (shell: string, { title }: Landing, body: string): string => {
  const titled = place(shell, '<title>Fieldproof</title>', `<title>${title}</title>`)
  return place(place(titled, '</head>', `${landingLinks(shell)}</head>`), '<!--landing-->', body)
}

/**
 * Prerenders the landing pages. The server fills a studio's at each request: `studio.html`, `studio-logo.html` for one with a
 * logo, or `studio-wordmark.html` where that says the name, at the marks of `markers.json`, with the accent that `accent.js` makes readable.
 */
export const makeTemplates = async (shell: string): Promise<void> => {
  // A new folder for each build, because a module once imported stays what it was; inside the house, so that it finds its packages.
  const cache = `${root}node_modules/.cache/fieldproof`
  mkdirSync(cache, { recursive: true })
  const working = mkdtempSync(`${cache}/prerender-`)
  const folder = `${dist}/templates`
  await forServer('prerender.tsx', working)
  mkdirSync(folder, { recursive: true })
  await forServer('ui/theme/accent.ts', folder)
  const made = await import(pathToFileURL(`${working}/prerender.js`).href)
  const { markers, renderHome, renderStudio, landingPages }: Prerender = made
  const write = (name: string, page: Landing, body: string) => {
    // A page that paused while it was made would show everybody a spinner until the scripts arrive.
    if (!body.includes('<h1')) throw new Error(`The landing page ${name} was not painted`)
    writeFileSync(`${folder}/${name}.html`, pageOf(shell, page, body))
  }
  write('home', landingPages.home, await renderHome())
  write('studio', landingPages.studio, await renderStudio('initial'))
  write('studio-logo', landingPages.studio, await renderStudio('logo'))
  write('studio-wordmark', landingPages.studio, await renderStudio('wordmark'))
  writeFileSync(`${folder}/markers.json`, JSON.stringify(markers))
  rmSync(working, { recursive: true, force: true })
}

export const readShell = (): string => readFileSync(`${dist}/app.html`, 'utf8')

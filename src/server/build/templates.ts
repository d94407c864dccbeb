import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build, type InlineConfig } from 'vite'
import { writeCodePages } from './code-page-templates.ts'
import { dist, root } from './fingerprint.ts'
import { paintFirst } from './paint-first.ts'

/** The exports of `src/client/prerender.tsx`, which documents them. */
type Prerender = {
  markers: Record<string, string>
  renderHome: () => Promise<string>
  renderStudio: (logoVariant: LogoVariant) => Promise<string>
  renderOpeningView: (opened: 'unknown' | 'job' | 'subject') => string
  landingPages: Record<'home' | 'studio', Landing>
}

type LogoVariant = 'initial' | 'logo' | 'wordmark'

type Landing = { title: string }

/** Vite's manifest. */
type Chunks = Record<string, { file: string; name?: string; imports?: string[]; css?: string[] }>

const templatesFolder = `${dist}/templates`

/** Builds a module of the client for the server. */
const buildForServer = async (entry: string, outDir: string, options: InlineConfig = {}): Promise<void> => {
  await build({
    configFile: `${root}vite.config.ts`,
    logLevel: 'warn',
    ...options,
    build: { ssr: `${root}src/client/${entry}`, outDir, emptyOutDir: false },
  })
}

const insertAtMark = (shell: string, mark: string, content: string): string => {
  if (!shell.includes(mark)) throw new Error(`index.html has no ${mark}`)
  return shell.replace(mark, () => content)
}

/** The files of a chunk and of all its static imports. */
const collectFiles = (chunks: Chunks, name: string, files = new Set<string>()): Set<string> => {
  const chunk = chunks[name]
  if (!chunk) throw new Error(`The build has no ${name}`)
  if (files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const stylesheet of chunk.css ?? []) files.add(stylesheet)
  for (const importedChunk of chunk.imports ?? []) collectFiles(chunks, importedChunk, files)
  return files
}

/**
 * Tags that make the browser preload the files of some screens, by the names of their chunks in vite.config.ts. Files that
 * the shell links already are left out.
 */
const preloadLinks = (shell: string, chunkNames: readonly string[]): string => {
  const chunks: Chunks = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, 'utf8'))
  const files = new Set<string>()
  for (const name of chunkNames) {
    const chunk = Object.keys(chunks).find((key) => chunks[key]?.name === name && key.endsWith('.js'))
    if (!chunk) throw new Error(`The build has no chunk ${name}`)
    collectFiles(chunks, chunk, files)
  }
  const link = (file: string) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`
  return [...files]
    .filter((file) => !shell.includes(`"/${file}"`))
    .map(link)
    .join('')
}

type Page = Landing & { chunks: readonly string[] }

const buildPage = (shell: string, { title, chunks }: Page, body: string): string => {
  const pageWithTitle = insertAtMark(shell, '<title>Fieldproof</title>', `<title>${title}</title>`)
  return insertAtMark(
    insertAtMark(pageWithTitle, '</head>', `${preloadLinks(shell, chunks)}</head>`),
    '<!--landing-->',
    body,
  )
}

/**
 * Prerenders the landing pages and the code pages. On each request the server replaces the markers of `markers.json` in
 * a page: for a studio `studio.html`, `studio-logo.html` for a studio with a logo, or `studio-wordmark.html` if the logo
 * contains the name. It also sets the accent color, which `accent.js` makes readable.
 */
export const makeTemplates = async (shell: string): Promise<void> => {
  // A new folder for each build, because an imported module is cached by its path; inside the repository, so that it
  // finds its packages.
  const cache = `${root}node_modules/.cache/fieldproof`
  mkdirSync(cache, { recursive: true })
  const workFolder = mkdtempSync(`${cache}/prerender-`)
  await buildForServer('prerender.tsx', workFolder)
  mkdirSync(templatesFolder, { recursive: true })
  await buildForServer('ui/theme/accent.ts', templatesFolder)
  // With its packages, so that it is a production build, whatever mode the server runs in.
  await buildForServer('app/code-first-view.tsx', `${templatesFolder}/code`, {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const prerender = await import(pathToFileURL(`${workFolder}/prerender.js`).href)
  const { markers, renderHome, renderStudio, renderOpeningView, landingPages }: Prerender = prerender
  const writePage = (name: string, page: Landing, body: string) => {
    // A page that suspended while prerendering would show a spinner until the scripts load.
    if (!body.includes('<h1')) throw new Error(`The landing page ${name} was not rendered`)
    writeFileSync(
      `${templatesFolder}/${name}.html`,
      paintFirst(buildPage(shell, { ...page, chunks: ['landing'] }, body)),
    )
  }
  writePage('home', landingPages.home, await renderHome())
  writePage('studio', landingPages.studio, await renderStudio('initial'))
  writePage('studio-logo', landingPages.studio, await renderStudio('logo'))
  writePage('studio-wordmark', landingPages.studio, await renderStudio('wordmark'))
  writeCodePages({
    folder: `${templatesFolder}/code`,
    buildPage: (chunks) => buildPage(shell, { title: 'Fieldproof', chunks }, ''),
    renderOpeningView,
  })
  writeFileSync(`${templatesFolder}/markers.json`, JSON.stringify(markers))
  rmSync(workFolder, { recursive: true, force: true })
}

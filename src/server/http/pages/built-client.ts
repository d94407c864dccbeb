import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CodeFirstScreen } from '#contract/customer/code-page.ts'

type StudioMarker = 'slug' | 'name' | 'initial' | 'logo' | 'logoWidth' | 'logoHeight'
type FirstViewMarker = 'jobName' | 'subjectName'

/** The built pages, as `src/server/build` writes them to a folder. */
export type BuiltClient = {
  readonly folder: string
  /** Identifies the build: the same sources give the same id. */
  readonly build: string
  /** Names of the files at the top of the site: `sw.js`, icons, the manifest. */
  readonly topFiles: ReadonlySet<string>
  /** Names of the files in `assets/`, without the compressed copies. */
  readonly assets: ReadonlySet<string>
  /** `'sha256-…'` of each inline script of a page. */
  readonly scriptHashes: readonly string[]
  /** The same of each inline style sheet. */
  readonly styleHashes: readonly string[]
  readonly templates: Readonly<Record<'home' | 'studio' | 'studioWithLogo' | 'studioWithWordmark', string>>
  /** The pages of access codes: of one that the client has to open, of a job, and of a subject without and with an image. */
  readonly codeTemplates: Readonly<Record<'opening' | 'job' | 'subject' | 'photo', string>>
  /** The markup of the first view of a subject with an image. */
  readonly renderFirstScreen: (screen: CodeFirstScreen) => string
  readonly markers: Readonly<Record<StudioMarker | FirstViewMarker, string>>
  /** The custom properties of a legible accent; empty for an invalid colour. */
  readonly accentProperties: (hex: string | null) => Readonly<Record<string, string>>
}

const privateFiles = ['build.json']

const listFiles = (folder: string): Set<string> =>
  new Set(globSync('*.*', { cwd: folder }).filter((name) => !/\.(br|gz)$/.test(name) && !privateFiles.includes(name)))

const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The hash of each text that a pattern captures in some pages. */
const hashesOf = (pattern: RegExp, pages: readonly string[]): string[] => {
  const texts = pages.flatMap((html) => [...html.matchAll(pattern)].map(([, text = '']) => text))
  return [...new Set(texts)].map(sourceHash)
}

/**
 * The hashes of the inline scripts of some pages that run. Scripts with a URL are allowed by origin, and JSON blocks do
 * not run.
 */
export const inlineScriptHashes = (pages: readonly string[]): string[] =>
  hashesOf(/<script>([\s\S]*?)<\/script>/g, pages)

/** The hashes of the inline style sheets of some pages. */
export const inlineStyleHashes = (pages: readonly string[]): string[] => hashesOf(/<style>([\s\S]*?)<\/style>/g, pages)

/** Files of a complete build. `npm run dev` may find a folder without them, or one of another version. */
const requiredFiles = [
  ...['build.json', 'app.html', 'templates/accent.js', 'templates/markers.json'],
  ...['home', 'studio', 'studio-logo', 'studio-wordmark'].map((name) => `templates/${name}.html`),
  ...['opening.html', 'job.html', 'subject.html', 'photo.html', 'code-first-view.js'].map(
    (name) => `templates/code/${name}`,
  ),
]

/** Reads the folder of a build; undefined if it does not contain a complete build. */
export const readBuiltClient = async (folder: string): Promise<BuiltClient | undefined> => {
  if (!requiredFiles.every((name) => existsSync(join(folder, name)))) return undefined
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href)
  const [accent, code] = await Promise.all(['templates/accent.js', 'templates/code/code-first-view.js'].map(load))
  const codeTemplates = {
    opening: read('templates/code/opening.html'),
    job: read('templates/code/job.html'),
    subject: read('templates/code/subject.html'),
    photo: read('templates/code/photo.html'),
  }
  const templates = {
    home: read('templates/home.html'),
    studio: read('templates/studio.html'),
    studioWithLogo: read('templates/studio-logo.html'),
    studioWithWordmark: read('templates/studio-wordmark.html'),
  }
  const pages = [read('app.html'), ...Object.values(templates), ...Object.values(codeTemplates)]
  return {
    folder,
    build: JSON.parse(read('build.json')).build,
    topFiles: listFiles(folder),
    assets: listFiles(join(folder, 'assets')),
    scriptHashes: inlineScriptHashes(pages),
    styleHashes: inlineStyleHashes(pages),
    templates,
    codeTemplates,
    markers: JSON.parse(read('templates/markers.json')),
    renderFirstScreen: code.renderFirstScreen,
    accentProperties: accent.accentProperties,
  }
}

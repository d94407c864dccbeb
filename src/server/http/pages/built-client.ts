import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

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
  readonly templates: Readonly<Record<'home' | 'studio' | 'studioWithLogo' | 'studioWithWordmark', string>>
  readonly markers: Readonly<Record<'slug' | 'name' | 'initial' | 'logo' | 'logoWidth' | 'logoHeight', string>>
  /** The custom properties of a legible accent; empty for an invalid colour. */
  readonly accentProperties: (hex: string | null) => Readonly<Record<string, string>>
}

const privateFiles = ['build.json']

const listFiles = (folder: string): Set<string> =>
  new Set(globSync('*.*', { cwd: folder }).filter((name) => !/\.(br|gz)$/.test(name) && !privateFiles.includes(name)))

/** The hashes of the inline scripts that run. Scripts with a URL are allowed by origin, and JSON blocks do not run. */
export const inlineScriptHashes = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/** Files of a complete build. `npm run dev` may find a folder without them, or one of another version. */
const requiredFiles = [
  ...['build.json', 'app.html', 'templates/accent.js', 'templates/markers.json'],
  ...['home', 'studio', 'studio-logo', 'studio-wordmark'].map((name) => `templates/${name}.html`),
]

/** Reads the folder of a build; undefined if it does not contain a complete build. */
export const readBuiltClient = async (folder: string): Promise<BuiltClient | undefined> => {
  if (!requiredFiles.every((name) => existsSync(join(folder, name)))) return undefined
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const accent = await import(pathToFileURL(join(folder, 'templates/accent.js')).href)
  return {
    folder,
    build: JSON.parse(read('build.json')).build,
    topFiles: listFiles(folder),
    assets: listFiles(join(folder, 'assets')),
    scriptHashes: inlineScriptHashes(read('app.html')),
    templates: {
      home: read('templates/home.html'),
      studio: read('templates/studio.html'),
      studioWithLogo: read('templates/studio-logo.html'),
      studioWithWordmark: read('templates/studio-wordmark.html'),
    },
    markers: JSON.parse(read('templates/markers.json')),
    accentProperties: accent.accentProperties,
  }
}

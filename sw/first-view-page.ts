import { listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { type FirstView, isFirstView, isImageListed } from '#local/store/first-view.ts'

export type FirstViewDeps = {
  caches: CacheStorage
  /** The paths of this build's files. */
  files: ReadonlySet<string>
}

const screenPath = /^\/[^/]+\/(\d+)\/subject\/(\d+)\/select-package(?:\/\d+)?$/

/** The first view of a screen, if it belongs to this build and the device may still show its image. */
const readFirstView = async ({ caches, files }: FirstViewDeps, pathname: string): Promise<FirstView | undefined> => {
  const [, jobId, subjectId] = screenPath.exec(pathname) ?? []
  if (!jobId || !subjectId) return undefined
  const cache = await caches.open(catalogueCache)
  const imagesUrl = pathOf(listImages, { jobId: Number(jobId), subjectId: Number(subjectId) }, withReplacements)
  const view: unknown = await (await cache.match(pathname, { ignoreVary: true }))?.json()
  if (!isFirstView(view) || !view.stylesheets.every((path) => files.has(path))) return undefined
  return (await isImageListed(cache, imagesUrl, view.image)) ? view : undefined
}

/**
 * Adds to the empty page what the screen of its address showed last: the subject's name and large image are painted
 * before any script runs. The app replaces it once it has rendered the screen.
 */
export const withFirstView = async (deps: FirstViewDeps, pathname: string, shell: Response): Promise<Response> => {
  const view = await readFirstView(deps, pathname)
  if (!view) return shell
  const links = view.stylesheets.map((path) => `<link rel="stylesheet" crossorigin href="${path}">`).join('')
  const html = (await shell.text())
    .replace('<html lang="en">', () => view.startTag)
    .replace('</head>', () => `${links}</head>`)
    .replace(
      '<div id="root">',
      () => `<div id="first-view" inert aria-hidden="true">${view.markup}</div><div id="root">`,
    )
  return new Response(html, { status: shell.status, headers: shell.headers })
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dist } from './fingerprint.ts'

/** The chunks of the screens that an access code opens; `finding` also contains the modules that redeem the code. */
const chunksOfJob = ['finding', 'customer']
const chunksOfSubject = [...chunksOfJob, 'choosing']

const stylesheetLink = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/g
const scriptLink = /<link rel="modulepreload"[^>]*>/g
const scriptTag = /<(link rel="modulepreload"|script type="module")/g
/** Whether a link preloads the screen's own chunk, which the app itself requests only after the code is redeemed. */
const isScreenFile = (link: string): boolean => link.includes('/assets/choosing-')

/**
 * Adds a first view, which is painted as soon as the page arrives: its styles are in the page. Over a slow connection its
 * image should come first, so the other files follow it with a lower priority, and those that the entry imports anyway
 * are not preloaded.
 */
const withFirstView = (page: string, firstView: string): string => {
  const stylesheets = [...page.matchAll(stylesheetLink)]
  const styles = stylesheets.map(([, file]) => readFileSync(`${dist}/${file}`, 'utf8')).join('')
  const screenFiles = [...page.matchAll(scriptLink)].filter(([link]) => isScreenFile(link))
  const links = [...stylesheets, ...screenFiles].map(([link]) => link).join('')
  const lowPriority = '<$1 fetchpriority="low"'
  return page
    .replaceAll(stylesheetLink, '')
    .replaceAll(scriptLink, '')
    .replace('</head>', () => `<style>${styles}</style></head>`)
    .replace(
      '<div id="root">',
      () => `<div id="first-view" inert aria-hidden="true">${firstView}</div>${links}<div id="root">`,
    )
    .replaceAll(scriptTag, lowPriority)
}

type CodePageBuilder = {
  readonly folder: string
  /** Builds a page without content that preloads these chunks. */
  readonly buildPage: (chunks: readonly string[]) => string
  readonly renderFirstView: (logoVariant: 'initial' | 'logo' | 'wordmark') => string
}

/**
 * Writes the pages of access codes: of a job, of a subject, and of a subject with a first view, which the client removes
 * once the app has rendered behind it.
 */
export const writeCodePages = ({ folder, buildPage, renderFirstView }: CodePageBuilder): void => {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, page: string) => writeFileSync(`${folder}/${name}.html`, page)
  const subjectPage = buildPage(chunksOfSubject)
  write('job', buildPage(chunksOfJob))
  write('subject', subjectPage)
  for (const logoVariant of ['initial', 'logo', 'wordmark'] as const)
    write(`photo-${logoVariant}`, withFirstView(subjectPage, renderFirstView(logoVariant)))
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { paintFirst } from './paint-first.ts'

/** The chunks of the page that opens a code in the browser. */
const chunksOfOpening = ['landing', 'finding', 'customer']
/** The chunks of the screens that an access code opens; `finding` also contains the modules that redeem the code. */
const chunksOfJob = ['finding', 'customer']
const chunksOfSubject = [...chunksOfJob, 'choosing', 'selecting']

/** Adds a first view, which is painted as soon as the page and its image arrive. */
const withFirstView = (page: string, firstView: string): string =>
  paintFirst(page).replace(
    '<div id="root">',
    () => `<div id="first-view" inert aria-hidden="true">${firstView}</div><div id="root">`,
  )

type CodePageBuilder = {
  readonly folder: string
  /** Builds a page without content that preloads these chunks. */
  readonly buildPage: (chunks: readonly string[]) => string
  readonly renderFirstView: (logoVariant: 'initial' | 'logo' | 'wordmark') => string
  readonly renderOpeningView: (opened: 'unknown' | 'job' | 'subject') => string
}

/**
 * Writes the pages of access codes: of a code that the client has to open, of a job, and of a subject without and with an
 * image. Each has a first view, which the client removes once the app has rendered behind it.
 */
export const writeCodePages = ({ folder, buildPage, renderFirstView, renderOpeningView }: CodePageBuilder): void => {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, page: string) => writeFileSync(`${folder}/${name}.html`, page)
  const subjectPage = buildPage(chunksOfSubject)
  write('opening', withFirstView(buildPage(chunksOfOpening), renderOpeningView('unknown')))
  write('job', withFirstView(buildPage(chunksOfJob), renderOpeningView('job')))
  write('subject', withFirstView(subjectPage, renderOpeningView('subject')))
  for (const logoVariant of ['initial', 'logo', 'wordmark'] as const)
    write(`photo-${logoVariant}`, withFirstView(subjectPage, renderFirstView(logoVariant)))
}

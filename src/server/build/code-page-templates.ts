import { mkdirSync, writeFileSync } from 'node:fs'
import { paintFirst } from './paint-first.ts'

/** The chunks of the page that opens a code in the browser. */
const chunksOfOpening = ['landing', 'finding', 'customer']
/** The chunks of the screens that an access code opens; `finding` also contains the modules that redeem the code. */
const chunksOfJob = ['finding', 'customer']
const chunksOfSubject = [...chunksOfJob, 'choosing', 'selecting']

/** Adds a first view, which is painted as soon as the page arrives. */
const withFirstView = (page: string, firstView: string): string =>
  paintFirst(page).replace('<div id="root">', () => `${firstView}<div id="root">`)

/** A first view without anything to use. */
const inertFirstView = (content: string): string => `<div id="first-view" inert aria-hidden="true">${content}</div>`

/** The server fills it for each page, with `code-first-view.js`. */
const emptyFirstView = '<div id="first-view"></div>'

type CodePageBuilder = {
  readonly folder: string
  /** Builds a page without content that preloads these chunks. */
  readonly buildPage: (chunks: readonly string[]) => string
  readonly renderOpeningView: (opened: 'unknown' | 'job' | 'subject') => string
}

/**
 * Writes the pages of access codes: of a code that the client has to open, of a job, and of a subject without and with an
 * image. Each has a first view, which the client removes once the app has rendered behind it.
 */
export const writeCodePages = ({ folder, buildPage, renderOpeningView }: CodePageBuilder): void => {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, page: string) => writeFileSync(`${folder}/${name}.html`, page)
  const subjectPage = buildPage(chunksOfSubject)
  write('opening', withFirstView(buildPage(chunksOfOpening), inertFirstView(renderOpeningView('unknown'))))
  write('job', withFirstView(buildPage(chunksOfJob), inertFirstView(renderOpeningView('job'))))
  write('subject', withFirstView(subjectPage, inertFirstView(renderOpeningView('subject'))))
  write('photo', withFirstView(subjectPage, emptyFirstView))
}

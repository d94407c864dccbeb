import { mkdirSync, writeFileSync } from 'node:fs'
import { paintFirst } from './paint-first.ts'

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

import type { CodeFirstScreen } from '#contract/customer/code-page.ts'
import type { LogoShape } from '#contract/shapes/image-structs.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import type { Deps } from '../deps.ts'
import { escapeHtml } from '../http/markup.ts'
import type { BuiltClient } from '../http/pages/built-client.ts'
import type { CodeResponses } from './collect-responses.ts'

/**
 * The details of a studio on its landing page. The page's JSON block contains the same, for the first render in the
 * browser.
 */
export type LandingStudio = {
  readonly slug: string
  readonly name: string
  readonly logo: string | null
  readonly logoShape: LogoShape | null
  readonly accent: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly timeZone: string
}

/** Serializes JSON for a script element, so that it can neither end the element nor begin a comment. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const withJson = (html: string, landing: { studio: LandingStudio | null; ownHost: boolean }): string =>
  html.replace('id="landing">null<', () => `id="landing">${scriptJson(landing)}<`)

const withAccent = (html: string, properties: Readonly<Record<string, string>>): string => {
  const style = Object.entries(properties).map(([name, value]) => `${name}:${value}`)
  return style.length > 0 ? html.replace('<html ', () => `<html style="${escapeHtml(style.join(';'))}" `) : html
}

type MarkedValues = Partial<Record<keyof BuiltClient['markers'], string>>

/** Replaces the markers in one pass, so that a name that looks like a marker is not replaced. */
const withValues = (html: string, markers: BuiltClient['markers'], values: MarkedValues): string => {
  const valueByMarker = new Map(
    Object.entries(values).map(([name, value]) => [markers[name as keyof MarkedValues], value]), // the keys of its type
  )
  // Longest first, because the marker of the initial is a prefix of the marker of the name.
  const sortedMarkers = [...valueByMarker.keys()].sort((a, b) => b.length - a.length)
  return html.replace(new RegExp(sortedMarkers.join('|').replaceAll('.', '\\.'), 'g'), (marker) =>
    escapeHtml(valueByMarker.get(marker) ?? ''),
  )
}

const studioValues = ({ slug, name, logo, logoShape }: LandingStudio): MarkedValues => ({
  slug,
  name,
  logo: logo ?? '',
  logoWidth: String(logoShape?.width),
  logoHeight: String(logoShape?.height),
  initial: name.slice(0, 1).toWellFormed(),
})

/** The home page; the same for every visitor. */
export const fillHome = ({ templates }: BuiltClient): string =>
  withJson(templates.home, { studio: null, ownHost: false })

const chooseTemplate = ({ logoShape }: LandingStudio): keyof BuiltClient['templates'] => {
  if (!logoShape) return 'studio'
  return logoShape.wordmark ? 'studioWithWordmark' : 'studioWithLogo'
}

/** Fills the page of a studio with escaped values. */
export const fillStudio = (client: BuiltClient, studio: LandingStudio, ownHost: boolean): string => {
  const filled = withValues(client.templates[chooseTemplate(studio)], client.markers, studioValues(studio))
  return withAccent(withJson(filled, { studio, ownHost }), client.accentProperties(studio.accent))
}

/** Adds the data of a code page; the client reads it before it renders. */
const withCodePage = (html: string, page: CodeResponses['page']): string =>
  html.replace('</body>', () => `<script type="application/json" id="code-page">${scriptJson(page)}</script></body>`)

/** Fills the page of an access code that the client has to open; it shows the form only if the code fails. */
export const fillOpening = (client: BuiltClient, studio: LandingStudio): string => {
  const filled = withValues(client.codeTemplates.opening, client.markers, studioValues(studio))
  return withAccent(withJson(filled, { studio, ownHost: false }), client.accentProperties(studio.accent))
}

type FillInput = { readonly client: BuiltClient; readonly log: Deps['log']; readonly now: Date }

/** The markup of a first view, without its packages if they cannot be rendered. Undefined if it cannot be rendered at all. */
const renderFirstView = ({ client, log }: FillInput, screen: CodeFirstScreen): string | undefined => {
  for (const offer of new Set([screen.offer, null])) {
    try {
      return client.renderFirstScreen({ ...screen, offer })
    } catch (problem) {
      log.error({ err: problem }, 'the first view of a code could not be rendered')
    }
  }
  return undefined
}

/** The markup of the first view of a subject with an image; undefined for anything else. */
const firstViewOf = (input: FillInput, studio: LandingStudio, responses: CodeResponses): string | undefined => {
  const { redeemed, image, offer } = responses
  if (!redeemed?.subject || !image) return undefined
  const { jobName, subject } = redeemed
  const subjectName = `${subject.firstName} ${subject.lastName}`
  const today = wallClock(input.now.toISOString(), studio.timeZone).slice(0, 10)
  return renderFirstView(input, { studio, jobName, subjectName, image, offer, today })
}

/** Fills the page of an access code: for a wrong code one where the client shows why, otherwise that of its first screen. */
export const fillCode = (input: FillInput, studio: LandingStudio, responses: CodeResponses): string => {
  const { client } = input
  const { page, redeemed } = responses
  if (!redeemed) return withCodePage(fillOpening(client, studio), page)
  const { jobName, subject } = redeemed
  const accent = client.accentProperties(studio.accent)
  const firstView = firstViewOf(input, studio, responses)
  if (firstView === undefined) {
    const names = { name: studio.name, jobName, ...(subject && { subjectName: subject.firstName || subject.lastName }) }
    const openingPage = withValues(client.codeTemplates[subject ? 'subject' : 'job'], client.markers, names)
    return withAccent(withCodePage(openingPage, page), accent)
  }
  const photoPage = client.codeTemplates.photo.replace('<div id="first-view">', (tag) => tag + firstView)
  return withAccent(withCodePage(photoPage, page), accent)
}
